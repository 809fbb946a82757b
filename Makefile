# Every target sets the machine up first (a second time that is a look of half a second) and runs with the repository's
# own Node and Pulumi. `make demo KEEP=1` and `make test ARGS="--project unit"` reach the programs they start.
RUN := tools/setup/run
.DEFAULT_GOAL := help
.PHONY: help setup build demo picture test kind lint prose structure format generate docs docs-serve docs-check site-packages bench size bench-full fleet kill model fuzz clients clean

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

setup: ## Bring Node, npm packages and the Pulumi CLI where they are missing
	@tools/setup/setup.sh

build: setup ## Compile to dist/
	@$(RUN) npm run --silent build

demo: build ## The whole story on the emulated service: up, drift, change, destroy (KEEP=1 leaves it running)
	@$(RUN) node dist/tools/demo/main.js

picture: build ## Draw the terminal picture of the README from a run of the demo
	@FORCE_COLOR=1 $(RUN) node dist/tools/demo/main.js | $(RUN) node dist/tools/demo/picture.js

test: build ## All tests, the real Pulumi engine included (ARGS= goes to vitest)
	@$(RUN) node_modules/.bin/vitest run $(ARGS)

kind: generate ## All tests of one kind of resource (KIND=Volume)
	@$(RUN) node_modules/.bin/vitest run --project lifecycle -t '\b$(KIND)\b'
	@$(RUN) node_modules/.bin/vitest run test/unit/docs test/unit/sdk test/unit/tools test/engine/examples.test.ts test/engine/unknowns.test.ts

lint: setup ## Style and types
	@$(RUN) npm run --silent lint

prose: build ## List the words and constructions that this project does not use (ARGS="--counts", ARGS="api provider")
	@$(RUN) node dist/tools/prose/main.js $(ARGS)

structure: setup ## Which part imports which: no cycles, and the layers of CONTRIBUTING.md
	@$(RUN) npm run --silent structure

format: setup ## Mend what the formatter and the safe lint fixes can mend
	@$(RUN) npm run --silent format

generate: build ## Write schema.json, sdk/ and docs/ from the definitions
	@$(RUN) node dist/tools/generate.js

docs: site-packages ## Build the docs site in tools/site/dist
	@$(RUN) npm --prefix tools/site run --silent build

docs-serve: site-packages ## Serve the docs site, and update it as the pages change
	@$(RUN) npm --prefix tools/site run --silent dev

docs-check: docs ## Check links and accessibility of the built docs site
	@$(RUN) npm --prefix tools/site run --silent check

site-packages: setup
	@cmp -s tools/site/package-lock.json tools/site/node_modules/.installed-lock || { \
	  $(RUN) npm --prefix tools/site ci --prefer-offline --no-audit --no-fund --silent && \
	  cp tools/site/package-lock.json tools/site/node_modules/.installed-lock; }

bench: build ## Print the figures that the design promises
	@$(RUN) node dist/bench/main.js
	@$(RUN) node dist/bench/stacks.js short

size: build ## Print what an installation takes on the disk, by package
	@$(RUN) node dist/bench/install-size.js

bench-full: build ## Measure stacks of up to 3,001 resources and write docs/benchmarks.md (about an hour)
	@$(RUN) node dist/bench/stacks.js full "$(SCENARIO)"

fleet: build ## Count the requests and seconds of an up, a drift check, a preview and a destroy of N=20 machines
	@N=$(or $(N),20) $(RUN) node dist/bench/fleet.js

kill: build ## Kill an emulator under load, COUNT=100 times, and look whether its file has all that it acknowledged
	@COUNT="$(or $(COUNT),100)" $(RUN) node dist/bench/kill.js

model: setup ## Let random sequences of requests look for an account that is not whole (SEQUENCES=10000)
	@SEQUENCES=$(or $(SEQUENCES),10000) $(RUN) node_modules/.bin/vitest run --project contract test/contract/model.test.ts

fuzz: build ## Let Schemathesis look for answers off the contract (CASES=10000)
	@$(RUN) node dist/tools/fuzz/main.js $(CASES)

clients: build ## Run two public clients of the same API against the emulator (needs python3 and go)
	@$(RUN) node dist/test/clients/main.js

clean: ## Remove what was built here (the tools in ~/.cache/pulumi-cloudinfra stay)
	@rm -rf dist node_modules examples/*/node_modules
