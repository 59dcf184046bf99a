document.getElementById("workbench").textContent = "";
