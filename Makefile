# Every target sets up what it lacks; `make setup` alone does only that.
#
#   make demo [GRAPH=neo4j] [PORT=8000]      a demo project in a browser
#   make serve [PORT=8000]                   the console on your own graph
#   make test [ENGINES=embedded] [TESTS=…] [WORKERS=2]   everything, on the engines named
#   make check                               lint, types, import contracts, unit tests
#   make mutants [RULES="D4 R10"]            breaks each rule of the seed, and sees a test fail
#   make kill [ENGINES=embedded] [KILLS=500] [KILL_SEED=…]   kills clients and engines while they write
#   make fuzz [FUZZ_SECONDS=600] [FUZZ_SEED=…]   every write against the rules, until a difference
#   make bench [ENGINE=neo4j] [DECISIONS=1000,100000] [ROUNDS=15] [ALONE=1] [WRITE=1]
#                                            our operations beside the library's (docs/performance.md)
#   make reviewing [ENGINE=neo4j] [FEW=1] [WRITE=1]
#                                            what 300 flags take a reviewer (docs/reviewing.md)
#   make pictures                            the pictures in README.md and docs/, made anew

PORT ?= 8000
GRAPH ?= embedded
ENGINES ?= embedded,neo4j
TESTS ?=
WORKERS ?= 2
export ENGINES
# Another pair of FalkorDB binaries: a folder with redis-server and falkordb.so, for any target.
ENGINE_BINARIES ?=
ifneq ($(ENGINE_BINARIES),)
export GRAPH_REDIS_SERVER := $(ENGINE_BINARIES)/redis-server
export GRAPH_FALKORDB_MODULE := $(ENGINE_BINARIES)/falkordb.so
endif
KILLS ?= 500

IN_VENV := .venv/bin
WITH_NEO4J := $(if $(findstring neo4j,$(ENGINES)),--neo4j)

.PHONY: bench pictures reviewing fuzz kill mutants setup test check lint types contracts unit demo serve format

setup:
	@bin/setup

test:
	@bin/setup --browser $(WITH_NEO4J)
	@$(MAKE) --no-print-directory lint types contracts
	@$(IN_VENV)/pytest -n $(WORKERS) $(TESTS)

check:
	@bin/setup
	@$(MAKE) --no-print-directory lint types contracts unit

lint:
	@$(IN_VENV)/ruff check --quiet .
	@$(IN_VENV)/ruff format --check --quiet . || { echo "run \`make format\`" >&2; exit 1; }

types:
	@$(IN_VENV)/pyright --pythonpath $(IN_VENV)/python

contracts:
	@$(IN_VENV)/lint-imports

unit:
	@$(IN_VENV)/pytest -q tests/unit

format:
	@$(IN_VENV)/ruff check --quiet --fix-only .
	@$(IN_VENV)/ruff format .

demo:
	@bin/setup
	@$(IN_VENV)/python bin/console.py demo --graph $(GRAPH) --port $(PORT)

serve:
	@bin/setup
	@$(IN_VENV)/python bin/console.py serve --port $(PORT)

mutants:
	@bin/setup --browser
	@PYTHONPATH=.:bin $(IN_VENV)/python -m tests.seed.mutants $(RULES)

kill:
	@bin/setup --browser $(WITH_NEO4J)
	@PYTHONPATH=.:bin $(IN_VENV)/python -m tests.faults.kill_run --engines $(ENGINES) --clients $(KILLS) --servers $(KILLS)

fuzz:
	@bin/setup $(WITH_NEO4J)
	@PYTHONPATH=.:bin $(IN_VENV)/python -m tests.model.fuzz $(if $(FUZZ_SECONDS),--seconds $(FUZZ_SECONDS)) $(if $(FUZZ_SEED),--seed $(FUZZ_SEED) --shrink)

bench:
	@bin/setup --browser $(if $(findstring neo4j,$(ENGINE)),--neo4j)
	@$(if $(WRITE),$(IN_VENV)/uv pip install --quiet --python $(IN_VENV)/python --group bench)
	@PYTHONPATH=.:bin $(IN_VENV)/python -m bench.operations --engine $(or $(ENGINE),embedded) \
		--decisions $(or $(DECISIONS),1000) --rounds $(or $(ROUNDS),15) \
		$(if $(ALONE),--alone) $(if $(WRITE),--write)

reviewing:
	@bin/setup --browser $(if $(findstring neo4j,$(ENGINE)),--neo4j)
	@PYTHONPATH=.:bin $(IN_VENV)/python -m bench.reviewing --engine $(or $(ENGINE),embedded) \
		$(if $(FEW),--few) $(if $(WRITE),--write)

pictures:
	@bin/setup --browser
	@PYTHONPATH=.:bin $(IN_VENV)/python -m bench.pictures
