import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { validateWorkflow } from "@action-validator/core";
import { expect } from "chai";
import { parse, parseAllDocuments } from "yaml";
import { tempFolder } from "../../test/harness/temp-folder.ts";
import { type Json, workloadsOf } from "../../test/manifests/objects.ts";
import { ROOT } from "../lint/files.ts";

const IMAGE = "ghcr.io/you/geolookup:1.2.3";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const tool = (name: string, ...args: readonly string[]) =>
  execFileSync(join(ROOT, "tools/release", name), args, { encoding: "utf8", stdio: "pipe" }).trim();

const text = read(".github/workflows/release.yml");
const { jobs, permissions } = parse(text);
const { target, service, include } = jobs.images.strategy.matrix;
/** The images that the workflow builds. */
const built: { target: string; service: string }[] = [
  ...target.flatMap((each: string) => service.map((name: string) => ({ target: each, service: name }))),
  ...include,
];
const namesOf = (each: (typeof built)[number]) => tool("image-tags.sh", IMAGE, each.target, each.service).split(",");
const published = built.flatMap(namesOf);

describe("the workflow for releases", () => {
  const stepOf = (job: string, action: string): Json =>
    jobs[job].steps.find(({ uses = "" }: Json) => uses.startsWith(`${action}@`));

  it("is a valid workflow", () => {
    expect(validateWorkflow(text).errors).to.deep.equal([]);
  });

  it("publishes nothing before the tag and all checks of the CI, with make test, have passed", () => {
    expect(jobs.checks).to.include({ needs: "version", uses: "./.github/workflows/ci.yml" });
    expect(parse(read(".github/workflows/ci.yml")).on).to.have.property("workflow_call");
    const waitsFor = (job: string): string[] =>
      [jobs[job].needs ?? []].flat().flatMap((each) => [each, ...waitsFor(each)]);
    for (const job of ["images", "packages", "release"])
      expect(waitsFor(job), job).to.include.members(["version", "checks"]);
  });

  it("lets only the job with the images write packages, and only the last one write the release", () => {
    expect(permissions).to.deep.equal({});
    for (const [name, job] of Object.entries<Json>(jobs))
      expect(job.permissions, name).to.deep.equal({
        ...({ images: { contents: "read", packages: "write" }, release: { contents: "write" } }[name] ?? {
          contents: "read",
        }),
      });
    for (const { uses = "", with: options } of Object.values<Json>(jobs).flatMap(({ steps = [] }) => steps))
      if (uses.startsWith("actions/checkout@")) expect(options).to.include({ "persist-credentials": false });
    expect(text).to.not.include("secrets.");
  });

  it("builds every target of infra/Dockerfile for every service and both platforms, with SBOM and provenance", () => {
    const stages = read("infra/Dockerfile").split(/^FROM /m);
    const titled = stages.filter((stage) => stage.includes("org.opencontainers.image.title="));
    const targets = titled.map((stage) => / AS (\S+)$/m.exec(stage)?.[1]);
    const services = read("docker-compose.yml").match(/(?<=SERVICE: )\w+/g) ?? [];
    expect(targets).to.have.length(4);
    expect(services).to.have.length(5);
    expect(built).to.have.deep.members(
      targets.flatMap((name) =>
        name?.startsWith("service")
          ? services.map((each) => ({ target: name, service: each }))
          : [{ target: name, service: "" }],
      ),
    );
    expect(stepOf("images", "docker/build-push-action").with).to.include({
      ...{
        file: "infra/Dockerfile",
        platforms: "linux/amd64,linux/arm64",
        push: true,
        sbom: true,
        provenance: "mode=max",
      },
    });
  });

  it("publishes under the names that Docker Compose asks for with GEOLOOKUP_IMAGE, each once", () => {
    // The Compose file's substitutions are also those of a shell.
    const asked = (file: string, image: string): string[] =>
      Object.values<Json>(parse(read(file), { merge: true }).services)
        .filter(({ build }) => build !== undefined)
        .map((each) =>
          execFileSync("sh", ["-c", `echo "${each.image}"`], {
            env: { GEOLOOKUP_IMAGE: image },
            encoding: "utf8",
          }).trim(),
        );
    const services = ["auth", "gateway", "geo", "portal", "tools", "usage"];
    expect([...new Set(asked("docker-compose.yml", IMAGE))].sort()).to.deep.equal(
      services.map((name) => `${IMAGE}-${name}`),
    );
    expect(asked("docker-compose.yml", "")).to.include("geolookup-gateway");
    expect(asked("infra/compose/standalone.yml", IMAGE)).to.deep.equal([IMAGE]);
    expect(published).to.include.members([
      ...asked("docker-compose.yml", IMAGE),
      ...asked("docker-compose.yml", `${IMAGE}-distroless`),
      IMAGE,
    ]);
    expect(new Set(published).size).to.equal(published.length);
  });

  it("attaches the packages, the manifests, the images' digests and checksums", () => {
    const commands = (job: string) => jobs[job].steps.map(({ run = "" }: Json) => run).join("\n");
    expect(commands("packages")).to.match(
      /pack\.sh "\$\{GITHUB_REF_NAME#v\}" "\$GITHUB_SERVER_URL\/\$GITHUB_REPOSITORY"/,
    );
    expect(commands("release")).to.match(
      /kubernetes\.sh .* release\n.*sha256sum -- \* >SHA256SUMS\n(.*\n)*.*gh release create .* release\/\*/,
    );
  });
});

describe("pack.sh", () => {
  it("packs both packages with the address of the repository, and changes nothing else", function () {
    this.timeout(60_000);
    const { version } = JSON.parse(read("package.json"));
    const folder = tempFolder();
    execFileSync(join(ROOT, "tools/release/pack.sh"), [version, "https://git.example.com/you/geo"], { cwd: folder });
    const tar = (file: string, ...args: readonly string[]) =>
      execFileSync("tar", ["-xzf", file, "-O", ...args], { encoding: "utf8" });
    for (const name of ["browser", "server"]) {
      const packed = join(folder, `geolookup-${name}-${version}.tgz`);
      expect(JSON.parse(tar(packed, "package/package.json"))).to.deep.equal({
        ...JSON.parse(read(`packages/${name}/package.json`)),
        homepage: "https://git.example.com/you/geo#readme",
        repository: {
          ...{ type: "git", url: "git+https://git.example.com/you/geo.git" },
          directory: `packages/${name}`,
        },
      });
    }
    const withoutManifest = (file: string) => tar(file, "--exclude", "package/package.json");
    const filesOf = (file: string) => execFileSync("tar", ["-tzf", file], { encoding: "utf8" }).trim().split("\n");
    const served = join(ROOT, `packages/server/versions/geolookup-server-${version}.tgz`);
    const released = join(folder, `geolookup-server-${version}.tgz`);
    expect(filesOf(released)).to.have.members(filesOf(served));
    expect(withoutManifest(released)).to.equal(withoutManifest(served));
    expect(filesOf(join(folder, `geolookup-browser-${version}.tgz`))).to.have.members(
      ["README.md", "geolookup.d.ts", "geolookup.js", "package.json"].map((each) => `package/${each}`),
    );
  });
});

describe("check-tag.sh", () => {
  it("accepts a tag with the version of every package, and no other", () => {
    const folder = tempFolder();
    const files = [
      "tools/release/check-tag.sh",
      "package.json",
      ...globSync("{packages,services}/*/package.json", { cwd: ROOT }),
    ];
    expect(files.length).to.be.greaterThan(10);
    for (const file of files) {
      mkdirSync(join(folder, dirname(file)), { recursive: true });
      cpSync(join(ROOT, file), join(folder, file));
    }
    const check = (tag: string) => {
      const { status, stderr } = spawnSync(join(folder, "tools/release/check-tag.sh"), [tag], { encoding: "utf8" });
      return { status, stderr };
    };
    const { version } = JSON.parse(read("package.json"));
    expect(check(`v${version}`)).to.deep.equal({ status: 0, stderr: "" });
    const { status, stderr } = check(version);
    expect(status).to.equal(1);
    for (const file of files.slice(1))
      expect(stderr).to.include(`the tag is ${version}, and ${file} has version ${version}\n`);
    const geo = join(folder, "services/geo/package.json");
    writeFileSync(geo, readFileSync(geo, "utf8").replace(`"version": "${version}"`, '"version": "9.9.9"'));
    expect(check(`v${version}`)).to.deep.equal({
      ...{ status: 1, stderr: `the tag is v${version}, and services/geo/package.json has version 9.9.9\n` },
    });
  });
});

describe("kubernetes.sh", () => {
  const digestOf = (index: number) => `sha256:${index.toString(16).padStart(64, "0")}`;
  const lines = published.map((name, index) => `${name}@${digestOf(index)}\n`);

  it("packs manifests that name each image by its digest, and the others as before", () => {
    const folder = tempFolder();
    writeFileSync(join(folder, "images.txt"), lines.join(""));
    tool("kubernetes.sh", "1.2.3", join(folder, "images.txt"), folder);
    execFileSync("tar", ["-xzf", join(folder, "geolookup-kubernetes-1.2.3.tar.gz"), "-C", folder]);
    const imagesOf = (overlay: string) => {
      const path = join(folder, "geolookup-kubernetes-1.2.3/kubernetes/overlays", overlay);
      const objects = parseAllDocuments(
        execFileSync("kubectl", ["kustomize", path], { encoding: "utf8", stdio: "pipe" }),
      );
      const containers = workloadsOf(objects.map((each) => each.toJS())).flatMap(
        ({ spec }) => spec.template.spec.containers,
      );
      return Object.fromEntries(containers.map(({ name, image }: Json) => [name, image]));
    };
    const fixed = (name: string) => `ghcr.io/you/geolookup@${digestOf(published.indexOf(`${IMAGE}-${name}`))}`;
    const own = {
      ...Object.fromEntries(["gateway", "auth", "geo", "usage", "portal", "tools"].map((name) => [name, fixed(name)])),
      ...{ "geo-data": fixed("tools"), "nats-setup": fixed("tools") },
    };
    expect(imagesOf("production")).to.deep.equal(own);
    expect(imagesOf("demo")).to.deep.equal({ ...own, nats: "nats:2.12-alpine", redis: "redis:8" });
  });

  it("fails if an image is missing", () => {
    const folder = tempFolder();
    writeFileSync(join(folder, "images.txt"), lines.filter((line) => !line.includes("3-geo@")).join(""));
    expect(() => tool("kubernetes.sh", "1.2.3", join(folder, "images.txt"), folder)).to.throw(
      /images\.txt doesn't have geolookup-geo/,
    );
  });
});
