# geolookup: `make help` lists the targets.
SHELL := /bin/sh
# Debian keeps nats-server in /usr/sbin, where not every user's PATH looks.
export PATH := $(PATH):/usr/sbin:/sbin
# Node's compile cache makes services and commands start a third faster.
export NODE_COMPILE_CACHE ?= $(CURDIR)/node_modules/.cache/compiled
.DEFAULT_GOAL := help
# With a `$` as it was typed: make would otherwise replace it, in labels for example.
override ARGS := $(value ARGS)

.PHONY: help start cluster test test-full lint format server-package keys usage-verify geo-data geo-data-rollback data-report bench bench-quick bench-pages
.PHONY: fuzz screenshots diagrams update-pins update-digests proto sbom
.PHONY: rotate-secret rotate-certificates smoke doctor usage nats-setup backup restore rotate-signing-key
.PHONY: kubernetes-secrets kubernetes-up kubernetes-down
.PHONY: test-compose test-kubernetes secrets up up-ha down observe ps logs scale restart upgrade

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

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

start: node_modules/.package-lock.json ## Run the service in one process; installs packages and fetches geo data first if missing
	@exec npm start --silent

cluster: node_modules/.package-lock.json ## Run gateway, auth, geo, usage and portal as separate processes, over gRPC
	@exec npm run --silent cluster

test: node_modules/.developer-packages ## Check the code and run the tests (installs redis-server, nats-server and chromium if it can)
	@npm test --silent

test-full: test ## Run all tests, including the long suites: every fault, rolling restarts, a million keys, alerts
	@scripts/install-test-servers.sh prometheus haproxy nginx caddy curl python3 strace systemd-analyze
	@npm run --silent test-full

test-compose: node_modules/.developer-packages ## Test the Docker Compose cluster on a real Docker engine, mostly under load; takes half an hour
	@scripts/install-test-servers.sh tcpdump
	@npm run --silent test-compose

test-kubernetes: node_modules/.developer-packages ## Test the Kubernetes demo on the cluster of KUBECONFIG: from nothing to running, and under load; takes half an hour
	@npm run --silent test-kubernetes

screenshots: node_modules/.developer-packages ## Take the screenshots in README.md: docs/images/*.webp
	@scripts/install-test-servers.sh chromium
	@PATH="$(CURDIR)/node_modules/.bin:$$PATH" mocha --timeout 300000 test/browser/readme-screenshots.ts

diagrams: node_modules/.developer-packages ## Draw the Mermaid diagrams in docs/*.md for the docs site: docs/images/diagrams/*.svg
	@scripts/install-test-servers.sh chromium
	@PATH="$(CURDIR)/node_modules/.bin:$$PATH" mocha --timeout 300000 test/browser/guide-diagrams.ts

lint: node_modules/.developer-packages ## Check formatting, types, spelling, links, imports, unused code and the supply chain
	@npm run --silent lint

format: node_modules/.developer-packages ## Format the code and apply safe lint fixes
	@npm run --silent format

server-package: node_modules/.developer-packages ## Build the npm package for back ends, @geolookup/server, as a file to install
	@file=$$(npm pack --silent --workspace packages/server) && echo "npm install $(CURDIR)/$$file"

keys: ## Manage the keys of a running service: make keys ARGS="list"
	@set -u; scripts/compose/tool.sh keys $(ARGS)

usage: ## Show a key's requests in a month, by day: make usage ARGS="ID --month 2026-11"
	@scripts/compose/tool.sh keys usage $(ARGS)

usage-verify: ## Compare the usage service's totals with the usage log
	@scripts/compose/tool.sh usage-verify $(ARGS)

nats-setup: ## Create the streams of a cluster in NATS, or change NATS_REPLICAS
	@scripts/compose/tool.sh nats-setup $(ARGS)

backup: ## Back up keys, counts and signing keys of a running cluster to backups/
	@scripts/compose/tool.sh backup $(ARGS)

restore: ## Restore a backup: make restore ARGS=backups/geolookup-20261121T143000Z
	@scripts/compose/tool.sh restore $(ARGS)

rotate-secret: ## Replace a secret of the cluster, with Compose or Kubernetes: make rotate-secret ARGS=redis-password
	@scripts/compose/rotate-secret.sh $(ARGS)

rotate-certificates: ## Renew the certificates between the cluster's processes, with Compose or Kubernetes; ARGS=--ca replaces their CA as well
	@scripts/compose/rotate-certificates.sh $(ARGS)

smoke: ## Test a running deployment against the contract: make smoke ARGS=https://geo.example.com
	@scripts/compose/tool.sh smoke $(ARGS)

doctor: ## Diagnose a running deployment, or one caller's address: make doctor ARGS="ip --peer 10.0.0.5"
	@scripts/compose/tool.sh doctor $(ARGS)

rotate-signing-key: ## Sign new keys with a new signing key; old keys keep working
	@scripts/compose/tool.sh rotate-signing-key $(ARGS)

geo-data: ## Fetch the geo data, or update it without a restart: make geo-data ARGS=--update
	@npm_config_registry=$${npm_config_registry:-$$(npm config get registry 2>/dev/null)} scripts/compose/tool.sh geo-data $(ARGS)

geo-data-rollback: ## Restore the previous geo data: make geo-data-rollback, ARGS="--list", ARGS="--to v3"
	@scripts/compose/tool.sh geo-data rollback $(ARGS)

data-report: ## Report the quality of the geo data: make data-report ARGS="--compare FILE --html report.html"
	@scripts/compose/tool.sh data-report $(ARGS)

update-pins: node_modules/.package-lock.json ## Pin the newest versions of the free geo data; then run make geo-data ARGS=--update
	@npm run --silent geo-data -- pin

proto: node_modules/.developer-packages ## Regenerate the TypeScript types of proto/
	@npm run --silent proto

sbom: node_modules/.developer-packages ## Write sbom.cdx.json and docs/licenses.md from the lockfile
	@npm run --silent sbom

update-digests: node_modules/.developer-packages ## Pin the images in infra/images.env to the current digests of their tags
	@PATH="$(CURDIR)/node_modules/.bin:$$PATH" node scripts/images/main.ts $(ARGS)

geofeed-check: node_modules/.package-lock.json ## List the invalid lines of a geofeed: make geofeed-check FILE=geofeed.csv
	@npm run --silent geofeed-check -- $(if $(FILE),"$(FILE)") $(ARGS)

secrets: ## Create the Compose cluster's secrets and certificates in secrets/, and .env, unless they exist
	@scripts/compose/secrets.sh

kubernetes-secrets: node_modules/.package-lock.json ## Write the same secrets for Kubernetes: secrets/kubernetes/secrets.json
	@npm run --silent kubernetes-secrets -- $(ARGS)

kubernetes-up: ## Install geolookup into the cluster of the current kubectl context; builds the images first
	@scripts/kubernetes/up.sh $(ARGS)

kubernetes-down: ## Remove it from there; keys, counts and geo data stay
	@scripts/kubernetes/down.sh $(ARGS)

up: secrets ## Start the cluster with Docker Compose (PORT=8080); builds the images first
	@MODE=plain scripts/compose/up.sh

up-ha: secrets ## Start it with HAProxy in front of two or more gateways
	@MODE=ha scripts/compose/up.sh

down: ## Stop the Compose cluster; keys, counts and geo data stay
	@MAY_LACK_SECRETS=yes scripts/compose/compose.sh --profile "*" down --remove-orphans

observe: ## Start Prometheus and Grafana for the Compose cluster, on this machine only (ports 9090 and 3000)
	@scripts/compose/observe.sh

ps: ## List the Compose cluster's containers
	@MAY_LACK_SECRETS=yes scripts/compose/compose.sh ps

logs: ## Follow the Compose cluster's logs: make logs ARGS="gateway --since 5m"
	@MAY_LACK_SECRETS=yes scripts/compose/compose.sh logs --follow --tail 100 $(ARGS)

scale: ## Set the number of containers of a service: make scale geo=4 (auth, usage, portal; gateway with up-ha)
	@scripts/compose/scale.sh $(MAKEOVERRIDES) $(ARGS)

restart: ## Restart the Compose cluster's containers one by one: make restart ARGS="geo auth"
	@scripts/compose/rolling.sh restart $(ARGS)

upgrade: ## Rebuild and replace all containers one by one; with up-ha, no request fails
	@scripts/compose/rolling.sh upgrade $(ARGS)

fuzz: node_modules/.developer-packages ## Fuzz every parser and the public port: make fuzz ARGS="--minutes 10"
	@npm run --silent fuzz -- $(ARGS)

bench: node_modules/.developer-packages ## Compare the service's speed with others, in 8 minutes: make bench ARGS="--only standalone-keyed,express-maxmind"
	@npm run --silent bench -- $(ARGS)

bench-quick: node_modules/.developer-packages ## The same in under a minute, with fewer contestants and rounds
	@npm run --silent bench -- --quick $(ARGS)

bench-pages: node_modules/.developer-packages ## Measure how fast the main pages load in headless Chromium, with a cold cache
	@scripts/install-test-servers.sh chromium
	@PATH="$(CURDIR)/node_modules/.bin:$$PATH" mocha --reporter dot --timeout 600000 test/browser/page-speed.ts
