# Every target sets up the machine first (half a second if nothing is missing) and runs with the repository's
# own Node and Pulumi. Variables are passed on: `make demo KEEP=1`, `make test ARGS="--project unit"`.
RUN := tools/setup/run
.DEFAULT_GOAL := help
.PHONY: help setup build demo pictures test check new-kind kind lint prose structure format generate docs docs-serve docs-check console-speed site-packages bench size bench-full kill chaos chaos-cli load soak drift-day model damages fuzz nightly backends clients sdks plugin languages version release release-check mutants clean

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

setup: ## Install npm packages, and Node and the Pulumi CLI if they are missing or too old (needs npm)
	@tools/setup/setup.sh

build: setup ## Compile to dist/
	@$(RUN) npm run --silent build || { echo "Correct these errors first: nothing else runs until it compiles." >&2; exit 1; }
	@echo "built: dist/"
	@$(if $(filter build,$(MAKECMDGOALS)),tools/setup/path.sh)

demo: build ## Run the demo on the emulator: up, drift, update, destroy (KEEP=1 keeps the emulator running)
	@$(RUN) node dist/tools/demo/main.js

pictures: build site-packages ## Draw the pictures of README, docs and examples from runs of their stacks (needs Chromium)
	@$(RUN) npm --prefix tools/site run --silent pictures
	@$(RUN) node_modules/.bin/vitest run --project engine test/engine/templates.test.ts -t "the example" --update

test: build ## Run all tests, including those with the real Pulumi engine (ARGS= is passed to vitest)
	@$(RUN) node_modules/.bin/vitest run $(ARGS)

# Most faults of a kind are alike, and so are random programs and sequences of requests: two faults, and fewer of the others, are enough here.
check: build ## Run the tests that start no Pulumi process, with fewer faults and random programs, before a commit
	@SCHEDULES=$(or $(SCHEDULES),25) SEQUENCES=$(or $(SEQUENCES),200) MOST_CASES=2 $(RUN) node_modules/.bin/vitest run --project native --project chaos --project lifecycle --project contract --project unit

new-kind: build ## Copy the files of a kind for a new one (KIND=Backup LIKE=Volume; KIND=DomainClone LIKE=VolumeClone OF=Domain)
	@$(RUN) node dist/tools/kind/new.js "$(KIND)" "$(LIKE)" "$(OF)"

# The engine's tests run dist/, which has the class of a new kind only after a second build.
kind: generate ## Run everything that can fail because of one kind (KIND=Volume), or print the command for it
	@$(RUN) npm run --silent build
	@$(RUN) node dist/tools/kind/main.js $(KIND)

lint: setup ## Check style and types
	@$(RUN) npm run --silent lint

prose: build ## List banned words and constructions (ARGS="--counts", ARGS="api provider")
	@$(RUN) node dist/tools/prose/main.js $(ARGS)

structure: setup ## Check imports: no cycles, and only what the README.md of each folder allows
	@$(RUN) npm run --silent structure

format: setup ## Format, and apply safe lint fixes
	@$(RUN) npm run --silent format

generate: build ## Write schema.json, sdk/ and docs/ from the definitions (ARGS=--check only compares them)
	@$(RUN) node dist/tools/generate.js $(ARGS)

docs: site-packages ## Build the docs site in tools/site/dist
	@$(RUN) npm --prefix tools/site run --silent build

docs-serve: site-packages ## Serve the docs site, and update it as the pages change
	@$(RUN) npm --prefix tools/site run --silent dev

docs-check: build docs ## Check links and accessibility of the built docs site, and drift report and console in a browser
	@$(RUN) npm --prefix tools/site run --silent check

console-speed: build site-packages ## Measure the console in a browser with 10,000 objects, and its memory after an hour of requests
	@$(RUN) npm --prefix tools/site run --silent check -- --speed

# `npm ci` fails if a registry lacks optional packages of other platforms.
site-packages: setup
	@cmp -s tools/site/package-lock.json tools/site/node_modules/.installed-lock || { \
	  $(RUN) npm --prefix tools/site install --no-save --prefer-offline --no-audit --no-fund --silent && \
	  cp tools/site/package-lock.json tools/site/node_modules/.installed-lock; }

bench: build ## Measure the promised figures (FIGURES=FILE writes them, and LAST=FILE compares them with earlier ones)
	@FIGURES="$(FIGURES)" LAST="$(LAST)" $(RUN) node dist/bench/main.js
	@$(RUN) node dist/bench/stacks.js short

size: build ## Print the installed size by package
	@$(RUN) node dist/bench/install-size.js

bench-full: build ## Measure stacks of up to 3,001 resources and write docs/benchmarks.md (about an hour)
	@$(RUN) node dist/bench/stacks.js full "$(SCENARIO)"

kill: build ## Kill an emulator under load COUNT=100 times, and check that no acknowledged write was lost
	@COUNT="$(or $(COUNT),100)" $(RUN) node dist/bench/kill.js

load: build ## Send 256 requests per second to an emulator for MINUTES=30 and kill it each minute: no write is lost, times stay the same
	@MINUTES="$(or $(MINUTES),30)" $(RUN) node dist/bench/endurance.js

soak: build ## Use emulator, plugin and dynamic provider for MINUTES=30: memory and open files stay the same, nothing fails
	@MINUTES="$(or $(MINUTES),30)" $(RUN) node dist/bench/soak.js

drift-day: setup ## Run the service `drift --watch` for HOURS=24 in virtual time, with outages: each change is alerted once, memory stays the same (SEED=1)
	@HOURS=$(or $(HOURS),24) SEED=$(or $(SEED),1) $(RUN) node_modules/.bin/vitest run --project lifecycle test/lifecycle/drift-day

model: setup ## Search for inconsistent states with random request sequences (SEQUENCES=10000)
	@SEQUENCES=$(or $(SEQUENCES),10000) $(RUN) node_modules/.bin/vitest run --project contract test/contract/model.test.ts

mutants: build ## Change the code in MUTANTS=300 small ways, one at a time, and list changes that no test notices (SEED=1, PATHS="stack account")
	@MUTANTS="$(or $(MUTANTS),300)" SEED="$(SEED)" PATHS="$(PATHS)" $(RUN) node dist/tools/mutants/main.js

damages: setup ## Damage data files in DAMAGES=1000 ways: each is complete or rejected, and what is intact can be saved (SEED=1)
	@DAMAGES=$(or $(DAMAGES),1000) SEED=$(or $(SEED),1) $(RUN) node_modules/.bin/vitest run --project unit test/unit/emulator/data-damages.test.ts

chaos: setup ## Run random programs with random faults in one process, and check each account (SCHEDULES=10000 SEED=1, or SEEDS="1 2 3": two seeds at a time)
ifdef SEEDS
	@SCHEDULES=$(or $(SCHEDULES),10000) SEEDS="$(SEEDS)" $(RUN) tools/chaos-seeds.sh
else
	@SCHEDULES=$(or $(SCHEDULES),10000) SEED=$(or $(SEED),1) $(RUN) node_modules/.bin/vitest run --project chaos
endif

chaos-cli: build ## Kill processes of random updates with the real Pulumi CLI (SCHEDULES=200 SEED=1)
	@SCHEDULES=$(or $(SCHEDULES),200) SEED=$(or $(SEED),1) $(RUN) node_modules/.bin/vitest run test/engine/chaos.test.ts

fuzz: build ## Search for responses that violate the contract with Schemathesis (CASES=10000)
	@$(RUN) node dist/tools/fuzz/main.js $(CASES)

nightly: build ## Run what takes too long for every change: all faults with both types of provider, more random programs, all tests of the command and with the Pulumi engine, with both types of provider, 50 killed updates, 50 stacks at a time, imports of 104 random accounts, the names of a public service, a day of the drift service, state in S3 and PostgreSQL, the speed of the console
	@NIGHTLY=1 $(RUN) node_modules/.bin/vitest run --project native --project engine --project cli --project chaos --project lifecycle --project contract --project unit
	@ACCOUNTS=100 $(RUN) node_modules/.bin/vitest run --project lifecycle test/lifecycle/import
	@ACCOUNTS=4 ACCOUNT_SIZE=300 $(RUN) node_modules/.bin/vitest run --project lifecycle test/lifecycle/import
	@NIGHTLY=1 DIALECTS=1 $(RUN) node_modules/.bin/vitest run --project dialect
	@NIGHTLY=1 MOST_CASES=1 CLOUDINFRA_TEST_DIALECT=linode $(RUN) node_modules/.bin/vitest run --project native
	@$(MAKE) --no-print-directory drift-day
	@$(MAKE) --no-print-directory backends
	@$(MAKE) --no-print-directory console-speed

backends: build ## Run drift, import, adopt and migrate with state in S3 and PostgreSQL, and secrets of KMS (needs python3 and PostgreSQL)
	@BACKENDS=1 $(RUN) node_modules/.bin/vitest run --project backends $(ARGS)

clients: build ## Run published clients of the public API against the emulator, and write docs/compatibility.md (needs python3 and go; CLIENT=boto3)
	@$(RUN) node dist/test/clients/main.js $(CLIENT)

# The converted examples become part of schema.json, so it is written again before the SDKs.
sdks: generate ## Convert the examples, and generate the SDKs in sdks/, both with Pulumi's own code (needs go)
	@tools/setup/setup.sh languages
	@version=$$($(RUN) node -p 'require("./package.json").version') && \
	$(RUN) sh -c '"$$CLOUDINFRA_SDKS" convert schema.json "$$0" examples/resources examples/converted' "$$version" && \
	$(RUN) node dist/tools/generate.js && \
	$(RUN) sh -c '"$$CLOUDINFRA_SDKS" generate schema.json "$$0" sdks' "$$version"

plugin: build ## Build the native plugin as a single executable in dist/plugin
	@$(RUN) node dist/tools/plugin/main.js

# One file at a time, because pip builds the Python SDK in its source folder.
languages: sdks plugin ## Compile the SDKs and run the examples of all languages (needs python3 and go)
	@LANGUAGES=1 $(RUN) node_modules/.bin/vitest run --project languages --no-file-parallelism

version: build ## Set the version in package.json and in every file that names it (VERSION=0.2.0)
	@$(RUN) node dist/tools/release/version.js "$(VERSION)"
	@$(MAKE) --no-print-directory generate

# Everything is built again, so that no earlier file gets into the release.
release: setup ## Build everything that a release uploads in release/, the same bytes each time (VERSION=0.1.0; needs python3, go and rcodesign)
	@rm -rf dist sdks tools/site/dist
	@$(MAKE) --no-print-directory sdks docs
	@VERSION="$(VERSION)" DIRTY="$(DIRTY)" PUBLISH="$(PUBLISH)" $(RUN) node dist/tools/release/main.js $(or $(OUT),release)

release-check: ## Build a release twice, compare the two, and run a stack in each language from its files alone (takes 15 minutes)
	@$(MAKE) --no-print-directory release
	@$(MAKE) --no-print-directory release OUT=dist/release-again
	@RELEASE="$(CURDIR)/release" RELEASE_AGAIN="$(CURDIR)/dist/release-again" $(RUN) node_modules/.bin/vitest run --project release

clean: ## Remove build output (the tools in ~/.cache/pulumi-cloudinfra are kept)
	@rm -rf dist release sdks node_modules examples/node_modules tools/site/dist tools/site/node_modules
