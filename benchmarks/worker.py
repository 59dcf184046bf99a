"""The process that `measure.job` starts: it runs `module:function` with JSON arguments and writes what it returns.

Whole programs are timed through it, so it imports next to nothing.
"""

import importlib
import json
import sys

from errors import MissingError


def main() -> None:
    target, arguments, answer = sys.argv[1:]
    module, function = target.split(":")
    try:
        result = getattr(importlib.import_module(module), function)(**json.loads(arguments)) or {}
    except ModuleNotFoundError as error:
        result = {"missing": f"the module {error.name} is not installed"}
    except MissingError as error:
        result = {"missing": str(error)}
    with open(answer, "w", encoding="utf-8") as file:
        json.dump(result, file)


if __name__ == "__main__":
    main()
