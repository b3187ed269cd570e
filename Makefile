# The words that people, the README and .ci/run use. What each one does is in scripts/.

PORT ?= 9099
SIMULATOR_PORT ?= 9100

# Warnings are errors in our targets (Package.swift), so one kind of build serves run, lint and test.
SWIFT_BUILD = swift build
# Not all at once: two thousand tests that wait for each other's processor run into their limits.
SWIFT_TEST_FLAGS ?= --experimental-maximum-parallelization-width 48

.DEFAULT_GOAL := help
.PHONY: help run stop test lint format docs bench fuzz build release dependencies clean

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## Build, start a dev server with simulated providers, show the main job, leave it running
	@PORT=$(PORT) SIMULATOR_PORT=$(SIMULATOR_PORT) scripts/run

stop: ## Stop the server that make run started
	@scripts/stop

test: ## Every test: Swift, Google's Admin SDK, OpenID providers, Chromium, deploy/, stand-ins, examples
	@scripts/system-packages chromium nginx-light caddy systemd
	@scripts/python-environment
	@scripts/dependencies
	$(SWIFT_BUILD) --build-tests
	@scripts/container-steps
	@scripts/examples
	@scripts/stand-ins
	swift test --disable-xctest $(SWIFT_TEST_FLAGS)

lint: ## Format, import arrows, house rules, documentation without warnings
	@scripts/system-packages
	@scripts/format --check
	@scripts/house-rules
	@scripts/folder-graph --check
	@scripts/dependencies
	$(SWIFT_BUILD) --build-tests --explicit-target-dependency-import-check error
	@scripts/documentation

format: ## Format every Swift file
	@scripts/format

docs: ## Build the DocC archives in .build/documentation; a warning is an error
	@scripts/system-packages
	@scripts/dependencies
	$(SWIFT_BUILD)
	@scripts/documentation

bench: ## Measure a release build against openssl: see Benchmarks/README.md
	@scripts/system-packages wrk openssl util-linux
	@scripts/python-environment
	Benchmarks/run

fuzz: ## Try what reads unchecked bytes with made-up inputs, a minute each (FUZZ_SECONDS)
	@scripts/system-packages
	@scripts/fuzz

build: ## Build for development
	@scripts/system-packages
	@scripts/dependencies
	$(SWIFT_BUILD)

release: ## Build the command for production, in .build/release, with its bill of materials
	@scripts/system-packages
	@scripts/dependencies
	$(SWIFT_BUILD) --configuration release --product gatehouse --static-swift-stdlib
	@scripts/bill-of-materials .build/release/gatehouse

dependencies: ## Record what Package.swift resolves to; UPDATE=1: the newest that it allows
	@scripts/system-packages
	@scripts/dependencies $(if $(UPDATE),--update,--record)

clean: ## Remove what was built (data stays)
	swift package clean
	rm -rf .build/documentation .build/python .build-examples .build-stand-ins* .build-fuzzing
