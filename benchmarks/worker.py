"""The other end of `measure.job`: run `module:function` with JSON arguments and write what it returns."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path


def main() -> None:
    target, arguments, answer = sys.argv[1:]
    module, function = target.split(":")
    from measure import MissingError

    try:
        result = getattr(importlib.import_module(module), function)(**json.loads(arguments)) or {}
    except ModuleNotFoundError as error:
        result = {"missing": f"the module {error.name} is not installed"}
    except MissingError as error:
        result = {"missing": str(error)}
    Path(answer).write_text(json.dumps(result), encoding="utf-8")


if __name__ == "__main__":
    main()
