# The words that people, the README and .ci/run use. What each one does is in scripts/.

PORT ?= 9099
SIMULATOR_PORT ?= 9100

# Warnings are errors in our targets (Package.swift), so one kind of build serves run, lint and test.
SWIFT_BUILD = swift build $(SWIFT_BUILD_FLAGS)
# Without this option SwiftPM doesn't see that a file was added to the package for apps, or removed.
SERVER_BUILD = $(SWIFT_BUILD) --package-path Server --disable-build-manifest-caching
# Not all at once: two thousand tests that wait for each other's processor run into their limits.
SWIFT_TEST_FLAGS ?= --experimental-maximum-parallelization-width 48

.DEFAULT_GOAL := help
.PHONY: help run stop test lint check format docs bench bench-instructions fuzz build release packages dependencies
.PHONY: clean test-swift test-apps test-stand-ins test-examples test-container test-packages documentation availability

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## Build, start a dev server with simulated providers, show the main flows, leave it running
	@PORT=$(PORT) SIMULATOR_PORT=$(SIMULATOR_PORT) scripts/run

stop: ## Stop the server that make run started
	@scripts/stop

test: ## Every test: Swift, Google's Admin SDK, OpenID providers, Chromium, deploy/, stand-ins, examples
	@$(prepare-tests)
	@$(build-tests)
	@$(MAKE) $(together) test-swift test-apps test-stand-ins test-examples test-container test-packages
	@scripts/stage --last-words

lint: ## Format, import arrows, house rules, documentation without warnings, Apple's oldest systems
	@scripts/system-packages
	@$(lint-text)
	@scripts/dependencies
	@scripts/stage "build" sh -c '$(build)'
	@$(site)
	@scripts/availability

check: ## make lint and make test with one build; after it, up to three parts at the same time (.ci/run)
	@$(prepare-tests)
	@$(lint-text)
	@$(build-tests)
	@$(MAKE) $(together) test-swift test-apps test-stand-ins test-examples documentation availability test-container \
		test-packages

prepare-tests = scripts/system-packages && if [ -t 0 ]; then $(test-tools); fi && scripts/dependencies
# Where nobody is there to be asked for a password, they arrive while the compiler works.
test-tools = scripts/system-packages apache2-bin chromium chromium-headless-shell nginx-light caddy debootstrap dpkg-dev haproxy libapache2-mod-auth-openidc $(mail-server) nodejs node-jose pgbouncer postgresql prometheus systemd systemd-container && scripts/python-environment
# Debian would remove another mail server for it. Where there is one, the tests against Exim are left out.
mail-server = $(if $(wildcard /usr/sbin/sendmail),,exim4-daemon-light)
lint-text = scripts/stage "format and house rules" sh -c \
	'scripts/format --check && scripts/house-rules && scripts/folder-graph --check && scripts/http-reference --check && scripts/reference --check'
# With the built command, for the pages that are made of its output.
site = scripts/documentation && scripts/reference --check Server/.build/debug/gatehouse && scripts/site
# Both packages: the one for apps, and the server's.
declared = --explicit-target-dependency-import-check error
build = $(SWIFT_BUILD) --build-tests $(declared) && $(SERVER_BUILD) --build-tests $(declared)
build-tests = scripts/stage "build" bash -c '{ $(test-tools); } & $(build) && wait $$!'

# What follows the build, up to three parts at the same time. The tests wait much, for clocks and for each
# other's programs; the rest computes, and gives way to them (nice): tests have limits.
# A stage's output comes in one piece where make can do that, which Apple's can't.
together = --no-print-directory --keep-going \
	$(if $(filter output-sync,$(.FEATURES)),--jobs=3 --output-sync=target)

test-swift:
	@scripts/stage "tests" swift test --package-path Server --skip-build --disable-xctest $(SWIFT_TEST_FLAGS)

test-apps:
	@scripts/stage "app-tests" nice -n 10 swift test --skip-build --disable-xctest $(SWIFT_TEST_FLAGS)

test-container:
	@scripts/stage "container" nice -n 10 scripts/container-steps

test-packages:
	@scripts/stage "packages" nice -n 10 scripts/package-steps

test-examples:
	@scripts/stage "examples" scripts/examples

test-stand-ins:
	@BUILD_NICE=10 scripts/stage "stand-ins" scripts/stand-ins

documentation:
	@scripts/stage "documentation" nice -n 10 sh -c '$(site)'

availability:
	@scripts/stage "availability" nice -n 10 scripts/availability

format: ## Format every Swift file
	@scripts/format

docs: build ## Build the documentation site in .build/documentation/site; a warning is an error
	@$(site)

bench: ## Measure a release build against openssl: see Benchmarks/README.md
	@scripts/system-packages wrk openssl util-linux
	@scripts/python-environment
	Benchmarks/run

bench-instructions: ## Count the instructions per request, compare with the record; RECORD=1 updates it
	@scripts/system-packages valgrind
	@scripts/python-environment
	Benchmarks/instructions $(if $(RECORD),--record)

fuzz: ## Run the parsers of untrusted bytes with generated inputs, a minute each (FUZZ_SECONDS)
	@scripts/system-packages
	@scripts/fuzz

build: ## Build both packages for development
	@scripts/system-packages
	@scripts/dependencies
	$(SWIFT_BUILD)
	$(SERVER_BUILD)

release: ## Build the command for production, in Server/.build/release, with its bill of materials and symbols
	@scripts/system-packages
	@scripts/dependencies
	@scripts/release
	@scripts/bill-of-materials Server/.build/release/gatehouse

packages: ## Make what is published with a tag, in .build/packages: Debian package, tarball, checksums
	@scripts/packages --check
	@$(MAKE) --no-print-directory release
	@scripts/system-packages dpkg-dev
	@scripts/packages Server/.build/release/gatehouse .build/packages

dependencies: ## Record what the server resolves to; UPDATE=1: the newest that it allows
	@scripts/system-packages
	@scripts/dependencies $(if $(UPDATE),--update,--record)

clean: ## Remove what was built (data stays)
	swift package clean
	swift package --package-path Server clean
	rm -rf .build/documentation .build/package-steps .build/packages .build/python*
	rm -rf .build-examples .build-stand-ins* .build-fuzzing
