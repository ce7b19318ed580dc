import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { startError } from "../../test/harness/rejection.ts";
import { tempFolder } from "../../test/harness/temp-folder.ts";
import { checkImages } from "./check-images.ts";
import { updateDigests } from "./update-digests.ts";

const INDEX = "application/vnd.oci.image.index.v1+json";
// cspell:words alnum
const digestOf = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;

describe("updateDigests", () => {
  const PATH = process.env.PATH;
  let root: string;
  let docker: string;
  let said: string[];
  beforeEach(() => {
    root = repository();
    docker = tempFolder();
    process.env.PATH = `${docker}:${PATH}`;
    said = [];
    responds("node:24-slim", INDEX, "node, all platforms");
    responds("quay.test:5000/redis:8", "application/vnd.docker.distribution.manifest.list.v2+json", "redis");
  });
  afterEach(() => {
    process.env.PATH = PATH;
  });

  /** What `docker buildx imagetools inspect` prints of an image. */
  const responds = (image: string, mediaType: string, content: string) => {
    const manifest = { schemaVersion: 2, mediaType, digest: digestOf(content), size: 1 };
    writeFileSync(join(docker, image.replaceAll(/\W/g, "_")), JSON.stringify(manifest));
    writeFileSync(
      join(docker, "docker"),
      `#!/bin/sh
[ "$1 $2 $3 $5 $6" = "buildx imagetools inspect --format {{json .Manifest}}" ] || exit 2
cat "$(dirname "$0")/$(echo "$4" | tr -c '[:alnum:]\n' _)" 2>/dev/null || { echo "ERROR: $4: not found" >&2; exit 1; }
`,
      { mode: 0o755 },
    );
  };
  const read = (file: string) => readFileSync(join(root, file), "utf8");
  const update = (digests: "registries" | "none" | "keep" = "registries") =>
    updateDigests({ root, digests, say: (line) => void said.push(line) });

  it("pins every image in the list and in its copies", async () => {
    await update();
    const node = `node:24-slim@${digestOf("node, all platforms")}`;
    const redis = `quay.test:5000/redis:8@${digestOf("redis")}`;
    expect(read("infra/images.env")).to.equal(`# Kept.\nNODE_IMAGE=${node}\nREDIS_IMAGE=${redis}\n`);
    expect(read("infra/Dockerfile")).to.include(`ARG NODE_IMAGE=${node}\n`);
    expect(read("docker-compose.yml"))
      .to.include(`NODE_IMAGE: \${NODE_IMAGE:-${node}}\n`)
      .and.include(`image: ${redis}\n`);
    expect(read("infra/compose/site.yml")).to.include(`image: ${node}\n`);
    expect(checkImages(root)).to.deep.equal([]);
  });

  it("follows a moved tag, writes nothing if none moved, and removes digests on request", async () => {
    await update();
    responds("quay.test:5000/redis:8", INDEX, "redis, rebuilt");
    await update();
    expect(read("docker-compose.yml")).to.include(digestOf("redis, rebuilt"));
    said = [];
    await update();
    expect(said).to.deep.equal([]);
    await update("none");
    expect(read("docker-compose.yml")).to.not.include("@");
    expect(said.at(-1)).to.equal("pinned by tag only: NODE_IMAGE, REDIS_IMAGE");
  });

  it("updates the copies after an edit, without Docker", async () => {
    process.env.PATH = "";
    writeFileSync(join(root, "infra/images.env"), read("infra/images.env").replace("redis:8", "redis:8.2"));
    expect(checkImages(root)[0]).to.include("the images in docker-compose.yml differ");
    await update("keep");
    expect(read("docker-compose.yml")).to.include("redis:8.2\n");
    expect(checkImages(root)).to.deep.equal([]);
  });

  for (const [name, problem, prepare] of [
    [
      "an image for one platform",
      /NODE_IMAGE: node:24-slim is an image for one platform \(application\/vnd\.oci\.image\.manifest\.v1\+json\)/,
      () => responds("node:24-slim", "application/vnd.oci.image.manifest.v1+json", "node"),
    ],
    ["a missing tag", /REDIS_IMAGE: ERROR: quay\.test:5000\/redis:9: not found$/, () => edit("redis:8", "redis:9")],
    ["no Docker", /NODE_IMAGE: .*ENOENT\nREDIS_IMAGE: .*ENOENT$/, () => (process.env.PATH = "")],
  ] as const)
    it(`with ${name}, changes nothing and reports the problem`, async () => {
      prepare();
      const before = read("infra/images.env");
      expect(await startError(() => update()))
        .to.match(/^nothing was changed:\n/)
        .and.match(problem);
      expect(read("infra/images.env")).to.equal(before);
    });

  const edit = (from: string, to: string) =>
    writeFileSync(join(root, "infra/images.env"), read("infra/images.env").replace(from, to));
});

/** A repository with a list of two images, and copies of it. */
function repository(): string {
  const root = tempFolder();
  const [node, redis] = ["node:24-slim", "quay.test:5000/redis:8"];
  mkdirSync(join(root, "infra/compose"), { recursive: true });
  writeFileSync(join(root, "infra/images.env"), `# Kept.\nNODE_IMAGE=${node}\nREDIS_IMAGE=${redis}\n`);
  writeFileSync(join(root, "infra/Dockerfile"), `ARG NODE_IMAGE=${node}\nFROM \${NODE_IMAGE} AS base\nFROM base\n`);
  writeFileSync(
    join(root, "docker-compose.yml"),
    `x: { NODE_IMAGE: \${NODE_IMAGE:-${node}}\n}\nservices:\n  redis:\n    image: ${redis}\n`,
  );
  writeFileSync(join(root, "infra/compose/site.yml"), `services:\n  app:\n    image: ${node}\n`);
  return root;
}
