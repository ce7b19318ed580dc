import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { readImageList } from "../../tools/images/image-list.ts";
import { waitFor } from "../harness/wait-for.ts";
import { checkOut, repositoryFiles } from "./harness/checkout.ts";
import { buildImage, distrolessBase, entriesOf, type ImageEntry } from "./harness/images.ts";
import { REPOSITORY, run, succeed } from "./harness/run.ts";

const BUILD_TIMEOUT_MS = 900_000;
const TAG = `geolookup-image-test-${process.pid}`;
/** Files of tests and tools, and others that an image doesn't need. */
const UNWANTED = [
  /(^|\/)(tests?|specs?|__tests__|testing|\.git|\.github|\.npm|\.cache|_cacache)\//,
  // The docs site shows our own examples.
  /node_modules\/(.*\/)?examples?\//,
  /\.(test|spec|suite)\.[cm]?[jt]s$/,
  /(^|\/)(\.package-lock\.json|package-lock\.json|\.npmrc|\.env|tsconfig[^/]*\.json)$/,
  /node_modules\/.*(\.d\.[cm]?ts|\.map)$/,
];
const OWN = { VERSION: "1.2.3", REVISION: "0123456789abcdef" };

const node = readImageList(REPOSITORY).get("NODE_IMAGE") ?? "";
const distroless = readImageList(REPOSITORY).get("DISTROLESS_IMAGE") ?? "";
/** Packages that may be in an image: `name@version` of production packages, without the Node binaries. */
const shipped = new Set(
  (JSON.parse(readFileSync(join(REPOSITORY, "sbom.cdx.json"), "utf8")).components as { [key: string]: string }[])
    .filter(({ scope }) => scope === "required")
    .map(({ name, version }) => `${name}@${version}`),
);
const digestOfFile = (path: string) =>
  createHash("sha256")
    .update(readFileSync(join(REPOSITORY, path)))
    .digest("hex");

for (const { target, service } of [
  { target: "service", service: "portal" },
  { target: "service-distroless", service: "gateway" },
  { target: "tools", service: "" },
] as const)
  describe(`the image ${target}${service && ` of ${service}`}`, () => {
    const images = { first: `${TAG}-${target}:first`, second: `${TAG}-${target}:second` };
    const entries = { first: new Map<string, ImageEntry>(), second: new Map<string, ImageEntry>() };
    let base: { image: string; isReal: boolean };
    let sources: Set<string>;

    before("build it twice, from checkouts that differ in all but contents", async function () {
      this.timeout(BUILD_TIMEOUT_MS);
      base = target === "service-distroless" ? await distrolessBase(distroless, node) : { image: node, isReal: true };
      sources = new Set(await repositoryFiles());
      const args = { SERVICE: service, DISTROLESS_IMAGE: base.image, ...OWN };
      const checkouts = {
        first: await checkOut({ umask: 0o022, mtimeSeconds: 1_700_000_000 }),
        second: await checkOut({ umask: 0o077, mtimeSeconds: 1_800_000_000 }),
      };
      for (const which of ["first", "second"] as const) {
        await buildImage(images[which], { folder: checkouts[which], target, args });
        entries[which] = await entriesOf(images[which]);
      }
      if (!base.isReal) process.stderr.write(`${distroless} can't be pulled here: this suite uses a stand-in\n`);
    });
    after(async () => {
      await run("docker", ["image", "rm", "--force", ...Object.values(images)]);
    });
    const added = (which: "first" | "second" = "first") =>
      [...entries[which].values()].filter(({ path }) => /^(app|data)(\/|$)/.test(path));
    const config = async () => JSON.parse(await succeed("docker", ["inspect", images.first]))[0].Config;

    it("is reproducible: builds of the same sources have the same files", () => {
      expect(added().length).to.be.greaterThan(100);
      const lines = (which: "first" | "second") => added(which).map((entry) => JSON.stringify(entry));
      const first = new Set(lines("first"));
      expect(lines("second").filter((line) => !first.has(line))).to.deep.equal([]);
      expect(added("second")).to.have.length(added().length);
      for (const { path, mtimeSeconds } of added().filter(({ path }) => path.startsWith("app/")))
        expect(mtimeSeconds, path).to.equal(0);
    });

    const program = { service: [], "service-distroless": ["usr/local/bin/node"], tools: ["usr/local/bin/geolookup"] };

    it(`adds only ${["/app", "/data", ...program[target]].join(", ")} to its base`, async function () {
      this.timeout(120_000);
      const before = await entriesOf(base.image);
      const changed = [...entries.first.values()]
        .filter(({ path, kind }) => !/^(app|data)(\/|$)/.test(path) && kind !== "Directory")
        .filter(({ path, content }) => before.get(path)?.content !== content)
        .map(({ path }) => path);
      expect(changed).to.deep.equal(program[target]);
      for (const path of before.keys()) expect(entries.first.has(path), path).to.equal(true);
    });

    it("contains unchanged files of the repository and production packages; no tests, caches or development packages", () => {
      const packages = new Set<string>();
      for (const { path, kind, content } of added()) {
        const own = path.replace(/^app\//, "");
        for (const pattern of UNWANTED) expect(path).to.not.match(pattern);
        if (kind !== "File") continue;
        expect(content, path).to.equal(digestOfFile(own));
        const [, folder] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(own) ?? [];
        if (folder === undefined) expect(sources.has(own), path).to.equal(true);
        else packages.add(folder);
      }
      const contents = [...packages].map((folder) => {
        const { name, version } = manifestIn(folder);
        return `${name}@${version}`;
      });
      expect(contents.length).to.be.greaterThan(20);
      expect(contents.filter((each) => !shipped.has(each))).to.deep.equal([]);
    });

    it("contains no other service and no development command", () => {
      const top = (folder: string) => {
        const names = added().map(({ path }) => new RegExp(`^app/${folder}/([^/]+)`).exec(path)?.[1]);
        return [...new Set(names.filter((name) => name !== undefined))].sort();
      };
      if (target !== "tools") {
        expect(top("services")).to.deep.equal([service, "shared"].sort());
        expect(top("scripts")).to.deep.equal([]);
      } else {
        expect(top("services")).to.include.members(["auth", "gateway", "geo", "portal", "shared", "usage"]);
        expect(top("scripts")).to.include.members(["keys", "backup", "restore", "doctor", "smoke", "geo-data"]);
        expect(top("scripts")).to.not.include.members(["compose", "kubernetes"]);
      }
      expect([...top("test"), ...top("tools")]).to.deep.equal([]);
    });

    it("only root can write to /app, and the container's user and group to /data", () => {
      for (const { path, kind, mode, uid, gid } of added()) {
        const isData = path.startsWith("data");
        expect([uid, gid], path).to.deep.equal(isData ? [10_001, 10_001] : [0, 0]);
        if (kind !== "SymbolicLink") expect(mode & 0o7022, path).to.equal(isData ? 0o20 : 0);
        if (kind === "File") expect(mode & 0o444, path).to.equal(0o444);
      }
    });

    it("has labels, a user other than root, and a health check if it runs a service", async () => {
      const { Labels, User, Healthcheck, Env, Cmd, Entrypoint } = await config();
      const label = (name: string) => Labels[`org.opencontainers.image.${name}`];
      expect(label("title")).to.equal(`geolookup-${service || "tools"}`);
      expect(label("description")).to.match(/IP geolocation/);
      expect(label("licenses")).to.equal("MIT");
      expect([label("version"), label("revision")]).to.deep.equal([OWN.VERSION, OWN.REVISION]);
      expect(label("base.name")).to.equal(base.image);
      expect(User).to.equal("10001:10001");
      expect(Env).to.include.members(["NODE_ENV=production", "DATA_DIR=/data"]);
      if (target === "tools") return;
      expect(Healthcheck.Test).to.deep.equal(["CMD", "node", "infra/healthcheck.cjs"]);
      expect(Cmd).to.deep.equal(["node", "main.ts"]);
      expect(Entrypoint ?? []).to.deep.equal([]);
    });

    if (target === "service-distroless")
      it("has no shell and no package manager", async () => {
        const programs = [...entries.first.keys()].filter((path) =>
          /(^|\/)(sh|bash|dash|busybox|npm|apt|dpkg)$/.test(path),
        );
        expect(programs).to.deep.equal([]);
        const { status } = await run("docker", ["run", "--rm", "--network", "none", images.first, "sh", "-c", ":"]);
        expect(status).to.equal(127);
      });

    if (target === "tools")
      it("contains everything that the operator commands need", async function () {
        this.timeout(120_000);
        const run = (...args: string[]) =>
          succeed("docker", ["run", "--rm", "--read-only", "--network", "none", images.first, "geolookup", ...args]);
        for (const command of [
          "keys",
          "usage verify",
          "data report",
          "backup",
          "restore",
          "doctor",
          "smoke",
          "nats-setup",
        ])
          expect(await run(...command.split(" "), "--help"), command).to.match(/^Usage: /);
        // Loads what it needs.
        expect(await run("keys", "plans").catch((error: Error) => error.message)).to.match(/make start|AUTH_URL/);
      });

    if (service === "portal")
      it("has the guides that the docs site serves", async () => {
        const isGuide = (path: string) => /^docs\/((site|proxies)\/)?[^/]+\.md$/.test(path);
        const guides = [...sources].filter(isGuide).map((path) => `app/${path}`);
        expect(guides.length).to.be.greaterThan(15);
        expect([...entries.first.keys()]).to.include.members(guides);
      });

    if (service === "portal")
      it("its health check reflects the service, without a network or a writable file system", async function () {
        this.timeout(60_000);
        const options = ["--read-only", "--network", "none", "--cap-drop", "ALL", "--env", "CONSOLE=off"];
        const id = (await succeed("docker", ["run", "--detach", ...options, images.first])).trim();
        const health = async () =>
          (await succeed("docker", ["inspect", "--format", "{{.State.Health.Status}}", id])).trim();
        const check = async (...env: string[]) =>
          (await run("docker", ["exec", ...env, id, "node", "infra/healthcheck.cjs"])).status;
        try {
          await waitFor("the container to be healthy", async () => (await health()) === "healthy", 40_000);
          expect(await check()).to.equal(0);
          expect(await check("--env", "OPS_PORT=1"), "nothing listens").to.equal(1);
          expect(await check("--env", "OPS_PORT=8082"), "not the ops port").to.equal(1);
          await succeed("docker", ["stop", "--time", "10", id]);
          const exit = await succeed("docker", ["inspect", "--format", "{{.State.ExitCode}}", id]);
          expect(exit.trim(), "Node gets the signal itself").to.equal("0");
        } finally {
          await run("docker", ["rm", "--force", id]);
        }
      });
  });

/** The package.json of an installed package, which equals the image's. */
function manifestIn(folder: string): { name: string; version: string } {
  return JSON.parse(readFileSync(join(REPOSITORY, folder, "package.json"), "utf8"));
}
