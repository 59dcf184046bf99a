// The strongest features of the model: search, filter by label, sort.
import { features } from "./api.js";
import { $, el, fail, signed } from "./elements.js";

export class Features {
  constructor() {
    this.model = "";
    this.number = 0;
    $("features").addEventListener("submit", (event) => event.preventDefault());
    for (const id of ["search", "label", "sort"]) $(id).addEventListener("input", () => this.show());
  }

  of(model) {
    const same = model === this.model; // which has changed, while people look at one label
    this.label = same ? $("label").value : "";
    this.model = model;
    this.fresh = true;
    if (!same) $("feature-rows").replaceChildren();
    $("n-features").textContent = "Looking for them …"; // which takes seconds for a model with very many weights
    this.show();
  }

  async show() {
    const number = ++this.number;
    try {
      const label = this.fresh ? this.label : $("label").value;
      const found = await features(this.model, { search: $("search").value, label, sort: $("sort").value });
      if (number !== this.number) return;
      if (this.fresh) $("label").replaceChildren(el("option", { value: "" }, "all"), ...found.labels.map((name) => el("option", { value: name, selected: name === label }, name)));
      this.fresh = false;
      const most = Math.max(...found.features.map((one) => one.weight), 1e-9);
      $("feature-rows").replaceChildren(...found.features.slice(0, 200).map((one) => this.row(one, most)));
      $("n-features").textContent = `${found.n.toLocaleString("en")} found`;
    } catch (error) {
      if (number !== this.number) return;
      $("feature-rows").replaceChildren();
      $("n-features").textContent = error.message;
    }
  }

  row(one, most) {
    const weight = el("td", { class: "n weighed" }, el("span", { class: "fill" }), signed(one.weight, 2));
    weight.firstChild.style.width = `calc((100% - 5.5rem) * ${Math.max(0, one.weight / most)})`;
    return el("tr", {}, el("td", { dir: "auto" }, one.feature), el("td", { dir: "auto" }, one.label), weight);
  }
}
