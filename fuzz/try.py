import sys, tempfile, time, traceback
from pathlib import Path
sys.path.insert(0, str(Path(__file__).parent))
import seeds
for name, s in seeds.SEEDS.items():
    d = Path(tempfile.mkdtemp()); t = time.time()
    try:
        m = s.train(d)
        p = m if isinstance(m, Path) else d / "m.linnet"
        if m is not p: m.save(p)
        t2 = time.time()
        m = s.opened(p)
        print(name, f"{t2-t:.2f}s {time.time()-t2:.3f}", p.stat().st_size if p.exists() else "", list(seeds.asked(s, m)), f"{time.time()-t2:.3f}", flush=True)
    except BaseException as e:
        print("FAILED", name, repr(e)[:300], flush=True)
