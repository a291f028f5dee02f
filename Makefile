# Two commands: `make play` and `make test`. Each sets up what it needs; only python3 must be there.
PYTHON ?= python3
GAME ?= connect4
BIN := $(if $(filter Windows_NT,$(OS)),.venv/Scripts,.venv/bin)

.PHONY: help setup dev browser play web test test-long lint lint-scripts docs dist bench clean

help:
	@echo "make play [GAME=othello]   play in the terminal"
	@echo "make web                   write the pages of all games into web/ and open them in a browser"
	@echo "make test                  lint, types and tests; installs Chromium for them if possible (Debian, as root)"
	@echo "make test-long             the checks that take minutes"
	@echo "make docs                  build the pages and the Python reference into site/"
	@echo "make dist                  build the wheel and the source archive into dist/ and test them"
	@echo "make bench [DATA=folder]   measure, and write the tables; DATA has the public test sets of Connect 4"
	@echo "make browser               install Chromium, for the tests that open a page (Debian, as root)"
	@echo "make setup                 create .venv with the run-time dependencies only (.venv/bin/plyground)"
	@echo "make dev                   add the development tools to it"

PIP = $(BIN)/python -m pip install --disable-pip-version-check

setup: .venv/.ready
dev: .venv/.dev

.venv/.ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Plyground needs Python 3.11 or newer") if sys.version_info < (3, 11) else None'
	@echo "Setting up .venv (first time only): Plyground with Numba, NumPy and SciPy, about 120 MB to download"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(PIP) -e .
	@touch $@
	@echo "Ready: $(BIN)/plyground plays, analyses and solves; make help lists the other targets"

.venv/.dev: .venv/.ready
	@echo "Adding the development tools to .venv (first time only): tests, types, lint"
	@$(PIP) --quiet -e '.[dev]'
	@touch $@

browser:
	@if { command -v chromium || command -v chromium-browser || command -v google-chrome; } >/dev/null \
		&& command -v chromedriver >/dev/null; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		export DEBIAN_FRONTEND=noninteractive; \
		apt-get update -q && apt-get install -y -q --no-install-recommends chromium chromium-driver; \
	else echo "Chromium can't be installed here; as root on Debian: apt-get install chromium chromium-driver" >&2; exit 1; fi

play: setup
	@$(BIN)/plyground play '$(GAME)'

web: setup
	@$(BIN)/plyground web --all --out web --open

lint: dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@$(MAKE) --no-print-directory lint-scripts

# Types and style of the scripts of the pages: only where npm can install what checks them, as CI must. It refuses a Node too old for
# that (.npmrc).
lint-scripts:
	@if ! command -v npm >/dev/null; then why="npm is not installed"; \
	elif ! $(MAKE) --no-print-directory node_modules/.ready; then why="npm could not install what package.json names"; \
	else why=; fi; \
	if [ -z "$$why" ]; then npm run --silent lint; \
	else echo "$$why: the scripts of the pages were not checked" >&2; [ -z "$$CI" ]; fi

node_modules/.ready: package.json
	@echo "Installing TypeScript and ESLint into node_modules (first time only), which check the scripts of the pages"
	@npm install --no-audit --no-fund
	@touch $@

# Neighbouring tests run on one worker: they share the compile cache.
# Where Chromium is missing and can't be installed, the tests that need it are left out; the last lines say which.
test: lint
	@$(MAKE) --no-print-directory browser || true
	$(BIN)/pytest -n 2 --dist worksteal

test-long: dev
	@$(MAKE) --no-print-directory browser || true
	$(BIN)/pytest -m long -n 2 --dist worksteal

docs: setup
	$(PIP) --quiet -e '.[docs]'
	$(BIN)/python -m mkdocs build --strict

dist: dev
	$(BIN)/python -m hatchling build --clean
	$(BIN)/pytest -m "long or not long" tests/test_package.py

bench: setup
	$(PIP) --quiet -e '.[bench]'
	$(BIN)/python benchmarks/run.py $(if $(DATA),--data '$(DATA)')

clean:
	rm -rf .venv node_modules site web dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
