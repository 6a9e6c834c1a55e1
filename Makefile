# `make run` decides the claims on this machine's CPU and builds the site; `make test` tests.
# `make cuda` decides those with a CUDA meaning on this machine's GPU; OPTIONS="--budget 300" adds some.
# `make cuda-compiled` decides what compiling for a GPU decides, without one.
# `make everything` decides every claim on several releases, as the workflow `releases` does.
# TORCH=2.15.0 uses another release, PYTHON=python3.12 another Python.

DEFAULT_TORCH := 2.13.0
TORCH ?= $(DEFAULT_TORCH)
PYTHON ?= python3
VENV := $(if $(filter $(DEFAULT_TORCH),$(TORCH)),.venv,.venv-$(TORCH))
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
SAYING := sh tools/saying.sh

.PHONY: run everything cuda cuda-compiled wheels test test-all check release lint models site benchmarks clean prerequisites
.DEFAULT_GOAL := run

# The site is there first, from the evidence that there is; then this machine decides, and what that
# changes of the site is written again.
run: $(VENV)/installed
	@sh tools/site.sh $(BIN)/python $(if $(wildcard build/evidence),--evidence build/evidence)
	@status=0; $(BIN)/python -m validators run-all --device cpu || status=$$?; \
	if [ $$status -ne 2 ]; then \
	    sh tools/site.sh $(BIN)/python --evidence build/evidence || exit $$?; \
	fi; \
	exit $$status

# On this release and on others, whose environments tools/environment.sh makes: 5 GB each.
# SHARD=1/3 takes the first of three parts of the claims.
RELEASES ?= $(DEFAULT_TORCH) 2.15.0 2.11.0 2.9.1 2.5.1
SHARD ?= 1/1
everything: $(VENV)/installed
	@pythons=""; failed=0; for torch in $(RELEASES); do \
	    if [ $$torch = $(TORCH) ]; then python=$(BIN)/python; \
	    else python=$$(sh tools/environment.sh $$torch) || { failed=1; continue; }; fi; \
	    pythons="$$pythons $$python"; \
	done; \
	test -n "$$pythons" || exit 1; \
	$(BIN)/python -m validators run-all --device cpu --force --witnesses all --shard $(SHARD) \
	    $$(printf ' --python %s' $$pythons) $(OPTIONS) || exit $$?; \
	for python in $$pythons; do \
	    $(BIN)/python -m validators examples --force --shard $(SHARD) --python $$python || failed=1; \
	    $(BIN)/python -m validators plain --shard $(SHARD) --python $$python || failed=1; \
	done; \
	case " $(RELEASES) " in *" $(TORCH) "*) \
	    $(BIN)/python -m validators soak --force --shard $(SHARD) || failed=1; \
	    $(BIN)/python -m validators examples --uncompiled --shard $(SHARD) || failed=1;; \
	esac; \
	exit $$failed

# What tells a developer that the machine works. What shares an expensive fixture is in one file, and
# a worker gets whole files.
PYTEST_RUN := -m pytest -n auto --maxprocesses 8 --dist loadfile
test: $(VENV)/installed-dev
	$(BIN)/python $(PYTEST_RUN) $(PYTEST)

# Everything: slow tests, browser, other releases, clients, tasks, with coverage.
test-all: $(VENV)/installed-dev
	$(BIN)/python -m coverage run $(PYTEST_RUN) --all $(PYTEST)
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report --skip-covered --skip-empty

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python tools/check_commits.py

cuda: $(VENV)/installed
	PYTHON=$(BIN)/python sh tools/cuda.sh $(OPTIONS)

# What a compiler decides of a GPU that this machine need not have: ARCH=sm_80 is an A100, sm_100 a
# B200. The CUDA build of torch takes 5.4 GB; tools/environment.sh says if there is no room for it.
CUDA_TORCH ?= 2.15.0
ARCH ?= sm_90
cuda-compiled: $(VENV)/installed
	python=$$(sh tools/environment.sh $(CUDA_TORCH)) && \
	    $(BIN)/python -m validators run-all --device $(ARCH) --python $$python --record $(OPTIONS)

# What the runner needs on a machine without a network, for its Python and Linux on x86-64.
WHEELS_PYTHON ?= 3.12
wheels:
	$(PYTHON) -m pip --disable-pip-version-check download --quiet --only-binary=:all: \
	    --implementation cp --python-version $(WHEELS_PYTHON) --platform manylinux2014_x86_64 \
	    --platform manylinux_2_17_x86_64 --platform manylinux_2_28_x86_64 \
	    --dest build/wheels $$($(PYTHON) tools/runner_needs.py)

# Counting the tokens of skills takes a package of the development group.
check: $(VENV)/installed-dev
	$(BIN)/python -m validators check --match --skills

# The real models, compared with their records; OPTIONS="--record" keeps what is found.
models: $(VENV)/installed
	$(BIN)/python -m validators models --python "$$(PYTHON=$(BIN)/python sh tools/models.sh)" $(OPTIONS)

site: $(VENV)/installed
	@sh tools/site.sh $(BIN)/python

# The distributions, tried in clean environments, and the notes of the release, in build/dist.
release: $(VENV)/installed-dev
	rm -rf build/dist
	$(BIN)/python -m build --outdir build/dist .
	PYTHON=$(BIN)/python sh tools/check_release.sh build/dist
	$(BIN)/python tools/release_notes.py >build/dist/notes.md

# PYTEST="-k site --cases 40" narrows it down; PYTEST=--benchmark-save=NAME records.
benchmarks: $(VENV)/installed-dev
	$(BIN)/python -m pytest benchmarks --benchmark-storage=benchmarks/recorded \
	    --benchmark-sort=name --benchmark-columns=min,median,max,rounds $(PYTEST)

$(VENV)/installed: pyproject.toml | prerequisites
	@test -x $(BIN)/python || $(SAYING) "making $(VENV)" $(PYTHON) -m venv $(VENV)
	@$(SAYING) "installing torch $(TORCH)" sh -c "$(PIP) --upgrade pip && $(PIP) torch==$(TORCH)"
	@$(SAYING) "installing the casebook" $(PIP) numpy --editable '.[site,triton,tlparse]'
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed
	@$(SAYING) "installing what developers need" $(PIP) --group dev
	@touch $@

prerequisites:
	@sh tools/prerequisites.sh $(PYTHON)

clean:
	rm -rf build .venv .venv-*
