# Each target does all its own set-up in .venv: a clone, Python 3.11 or newer, a C compiler and make are enough.
PYTHON ?= python3
BIN := .venv/bin
SITE = $(shell $(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
export VIRTUAL_ENV := $(CURDIR)/.venv
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: demo test lint bench clean

demo: .venv/dev
	@$(BIN)/linnet demo

test: .venv/dev
	$(BIN)/python -m pytest

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -S -c 'import sys; sys.path[:0] = ["src", "$(SITE)"]; from importlinter.cli import lint_imports_command as lint; lint()'

bench: .venv-bench/done
	.venv-bench/bin/python benchmarks/run.py

clean:
	rm -rf .venv .venv-bench build

# An editable install rebuilds what was edited at the next import, so its build tools stay in .venv.
.venv/dev: pyproject.toml
	@echo "Setting up .venv; the first time takes a minute or two."
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "linnet needs Python 3.11 or newer: make PYTHON=python3.11"; exit 1; }
	@$(BIN)/python -m pip install -q --disable-pip-version-check "meson-python>=0.17" "meson>=1.4" "ninja>=1.11" "Cython>=3.0"
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-build-isolation -e ".[dev]"
	@touch $@

# Measured is what users install, not the editable tree, which looks for edits at every start.
.venv-bench/done: pyproject.toml $(shell find src -name '*.py' -o -name '*.pyx' -o -name '*.pxd' -o -name '*.h')
	@test -x .venv-bench/bin/python || $(PYTHON) -m venv .venv-bench
	@.venv-bench/bin/python -m pip install -q --disable-pip-version-check --upgrade ".[demo,peers]"
	@touch $@
