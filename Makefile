# geolookup: `make help` lists the targets.
SHELL := /bin/sh
# Debian keeps nats-server in /usr/sbin, where not every user's PATH looks.
export PATH := $(PATH):/usr/sbin:/sbin
# Node's compile cache makes services and commands start a third faster.
export NODE_COMPILE_CACHE ?= $(CURDIR)/node_modules/.cache/compiled
.DEFAULT_GOAL := help
# With a `$` as it was typed: make would otherwise replace it, in labels for example.
override ARGS := $(value ARGS)

.PHONY: help start cluster up up-ha down logs scale upgrade keys usage geo-data backup restore doctor smoke test test-full
.PHONY: test-compose test-kubernetes lint format fuzz bench bench-quick bench-pages screenshots diagrams server-package proto
.PHONY: sbom update-digests usage-verify geo-data-rollback data-report geofeed-check rotate-signing-key
.PHONY: rotate-secret rotate-certificates kubernetes-secrets kubernetes-up kubernetes-down nats-setup secrets observe ps
.PHONY: restart

help: ## List the targets
	@awk -F ':.*## ' '/^##@ / { printf "\n%s\n", substr($$0, 5) } /^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Packages for running the service. npm writes this file last, so it exists only after a complete installation.
node_modules/.package-lock.json: package-lock.json
	@command -v npm >/dev/null || { echo "npm is missing: install Node.js 20 or newer with npm (https://nodejs.org/)" >&2; exit 1; }
	@echo "Installing npm packages…" >&2
	@npm ci --omit=dev
	@touch $@

# Packages for development, too. `npm ci` would first remove packages that a running service uses; `--no-save` keeps the lockfile,
# which npm 10 would write in its own way.
node_modules/.developer-packages: package-lock.json
	@command -v npm >/dev/null || { echo "npm is missing: install Node.js 20 or newer with npm (https://nodejs.org/)" >&2; exit 1; }
	@echo "Installing npm packages…" >&2
	@if [ -e node_modules/.package-lock.json ]; then npm install --no-save --no-audit --no-fund; else npm ci; fi
	@touch node_modules/.package-lock.json $@

##@ Run and operate (./geolookup help lists more commands)

start: node_modules/.package-lock.json ## Run the service in one process; installs packages and fetches geo data first if missing
	@exec npm start --silent

cluster: node_modules/.package-lock.json ## Run gateway, auth, geo, usage and portal as separate processes, over gRPC
	@exec npm run --silent cluster

up: ## Start the cluster with Docker Compose (PORT=8080); builds the images first, or uses those of GEOLOOKUP_IMAGE
	@./geolookup up

up-ha: ## Start it with HAProxy in front of two or more gateways
	@./geolookup up --ha

down: ## Stop the Compose cluster; keys, counts and geo data stay
	@./geolookup down

logs: ## Follow the Compose cluster's logs: make logs ARGS="gateway --since 5m"
	@./geolookup logs $(ARGS)

scale: ## Set the number of containers of a service: make scale geo=4 (auth, usage, portal; gateway with up-ha)
	@./geolookup scale $(MAKEOVERRIDES) $(ARGS)

upgrade: ## Rebuild or pull the images, and replace all containers one by one; with up-ha, no request fails
	@./geolookup upgrade $(ARGS)

keys: ## Manage the keys of a running service: make keys ARGS="list"
	@set -u; ./geolookup keys $(ARGS)

usage: ## Show a key's requests in a month, by day: make usage ARGS="ID --month 2026-11"
	@./geolookup usage $(ARGS)

geo-data: ## Fetch the geo data, or update it without a restart: make geo-data ARGS=--update
	@./geolookup data fetch $(ARGS)

backup: ## Back up keys, counts and signing keys of a running cluster to backups/
	@./geolookup backup $(ARGS)

restore: ## Restore a backup: make restore ARGS=backups/geolookup-20261121T143000Z
	@./geolookup restore $(ARGS)

doctor: ## Diagnose a running deployment, or one caller's address: make doctor ARGS="ip --peer 10.0.0.5"
	@./geolookup doctor $(ARGS)

smoke: ## Test a running deployment against the contract: make smoke ARGS=https://geo.example.com
	@./geolookup smoke $(ARGS)

##@ Develop

test: node_modules/.developer-packages ## Check the code and run the tests (installs redis-server, nats-server and chromium if it can)
	@npm test --silent

test-full: test ## Run all tests, including the long suites: every fault, rolling restarts, a million keys, alerts
	@tools/install-test-servers.sh prometheus haproxy nginx caddy curl python3 strace systemd-analyze
	@npm run --silent test-full

test-compose: node_modules/.developer-packages ## Test the Docker Compose cluster on a real Docker engine, mostly under load; takes half an hour
	@tools/install-test-servers.sh tcpdump
	@npm run --silent test-compose

test-kubernetes: node_modules/.developer-packages ## Test the Kubernetes demo on the cluster of KUBECONFIG: from nothing to running, and under load; takes half an hour
	@npm run --silent test-kubernetes

lint: node_modules/.developer-packages ## Check formatting, types, spelling, links, imports, unused code and the supply chain
	@npm run --silent lint

format: node_modules/.developer-packages ## Format the code and apply safe lint fixes
	@npm run --silent format

fuzz: node_modules/.developer-packages ## Fuzz every parser and the public port: make fuzz ARGS="--minutes 10"
	@npm run --silent fuzz -- $(ARGS)

bench: node_modules/.developer-packages ## Compare the service's speed with others, in 4 minutes: make bench ARGS="--quick"
	@npm run --silent bench -- $(ARGS)

# Needed now and then; CONTRIBUTING.md says when.
bench-quick: node_modules/.developer-packages
	@npm run --silent bench -- --quick $(ARGS)

bench-pages: node_modules/.developer-packages
	@tools/install-test-servers.sh chromium
	@PATH="$(CURDIR)/node_modules/.bin:$$PATH" mocha --reporter dot --timeout 600000 test/browser/page-speed.ts

screenshots: node_modules/.developer-packages
	@tools/install-test-servers.sh chromium
	@PATH="$(CURDIR)/node_modules/.bin:$$PATH" mocha --timeout 300000 test/browser/readme-screenshots.ts

diagrams: node_modules/.developer-packages
	@tools/install-test-servers.sh chromium
	@PATH="$(CURDIR)/node_modules/.bin:$$PATH" mocha --timeout 300000 test/browser/guide-diagrams.ts

server-package: node_modules/.developer-packages
	@file=$$(npm pack --silent --workspace packages/server) && echo "npm install $(CURDIR)/$$file"

proto: node_modules/.developer-packages
	@npm run --silent proto

sbom: node_modules/.developer-packages
	@npm run --silent sbom

update-digests: node_modules/.developer-packages
	@PATH="$(CURDIR)/node_modules/.bin:$$PATH" node tools/images/main.ts $(ARGS)

# Targets of earlier versions, for one more version.
MOVED = echo "make $@ is now ./geolookup $(1)" >&2; exec ./geolookup $(1)

usage-verify:
	@$(call MOVED,usage verify) $(ARGS)
geo-data-rollback:
	@$(call MOVED,data $(if $(filter --list,$(ARGS)),versions,rollback)) $(filter-out --list,$(ARGS))
data-report:
	@$(call MOVED,data report) $(ARGS)
geofeed-check:
	@$(call MOVED,data check-geofeed) $(if $(FILE),"$(FILE)") $(ARGS)
rotate-signing-key:
	@$(call MOVED,rotate signing-key) $(ARGS)
rotate-secret:
	@$(call MOVED,rotate secret) $(ARGS)
rotate-certificates:
	@$(call MOVED,rotate certificates) $(ARGS)
kubernetes-secrets:
	@$(call MOVED,kubernetes secrets) $(ARGS)
kubernetes-up:
	@$(call MOVED,kubernetes up) $(ARGS)
kubernetes-down:
	@$(call MOVED,kubernetes down) $(ARGS)
nats-setup:
	@$(call MOVED,nats-setup) $(ARGS)
secrets:
	@$(call MOVED,secrets) $(ARGS)
observe:
	@$(call MOVED,observe) $(ARGS)
ps:
	@$(call MOVED,ps) $(ARGS)
restart:
	@$(call MOVED,restart) $(ARGS)
