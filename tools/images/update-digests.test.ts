import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { startError } from "../../test/harness/rejection.ts";
import { tempFolder } from "../../test/harness/temp-folder.ts";
import { checkImages } from "./check-images.ts";
import { digestOf, MANIFEST_TYPE, startFakeRegistry } from "./testing/fake-registry.ts";
import { updateDigests } from "./update-digests.ts";

describe("updateDigests", () => {
  const tags: Record<string, string> = { "library/node:24-slim": "node, all platforms", "redis:8": "redis" };
  let registry: Awaited<ReturnType<typeof startFakeRegistry>>;
  let root: string;
  let said: string[];
  beforeEach(async () => {
    registry = await startFakeRegistry({ ...tags });
    root = repository(registry.host);
    said = [];
  });
  afterEach(() => registry[Symbol.asyncDispose]());

  const read = (file: string) => readFileSync(join(root, file), "utf8");
  const update = (digests: "registries" | "none" | "keep" = "registries", timeoutMs = 5_000) =>
    updateDigests({ root, digests, timeoutMs, say: (line) => void said.push(line) });
  const failure = async (timeoutMs?: number) => {
    const before = read("infra/images.env");
    const message = await startError(() => update("registries", timeoutMs));
    expect(message).to.match(/^nothing was changed:\n/);
    expect(read("infra/images.env")).to.equal(before);
    return message;
  };

  it("pins every image in the list and in its copies, with a token for each repository", async () => {
    await update();
    const node = `${registry.host}/library/node:24-slim@${digestOf("node, all platforms")}`;
    const redis = `${registry.host}/redis:8@${digestOf("redis")}`;
    expect(read("infra/images.env")).to.equal(`# Kept.\nNODE_IMAGE=${node}\nREDIS_IMAGE=${redis}\n`);
    expect(read("infra/Dockerfile")).to.include(`ARG NODE_IMAGE=${node}\n`);
    expect(read("docker-compose.yml"))
      .to.include(`NODE_IMAGE: \${NODE_IMAGE:-${node}}\n`)
      .and.include(`image: ${redis}\n`);
    expect(read("infra/compose/site.yml")).to.include(`image: ${node}\n`);
    expect(checkImages(root)).to.deep.equal([]);
    const service = "service=fake+registry&scope=repository%3A";
    expect(registry.requests.toSorted()).to.deep.equal([
      `GET /token?${service}library%2Fnode%3Apull`,
      `GET /token?${service}redis%3Apull`,
      "HEAD /v2/library/node/manifests/24-slim",
      "HEAD /v2/library/node/manifests/24-slim",
      "HEAD /v2/redis/manifests/8",
      "HEAD /v2/redis/manifests/8",
    ]);
  });

  it("follows a moved tag, writes nothing if none moved, and removes digests on request", async () => {
    await update();
    await registry[Symbol.asyncDispose]();
    registry = await startFakeRegistry({ ...tags, "redis:8": "redis, rebuilt" });
    root = repository(registry.host);
    await update();
    expect(read("docker-compose.yml")).to.include(digestOf("redis, rebuilt"));
    said = [];
    await update();
    expect(said).to.deep.equal([]);
    await update("none");
    expect(read("docker-compose.yml")).to.not.include("@");
    expect(said.at(-1)).to.equal("pinned by tag only: NODE_IMAGE, REDIS_IMAGE");
  });

  it("updates the copies after an edit, without requests", async () => {
    writeFileSync(join(root, "infra/images.env"), read("infra/images.env").replace("redis:8", "redis:8.2"));
    expect(checkImages(root)[0]).to.include("the images in docker-compose.yml differ");
    await update("keep");
    expect(read("docker-compose.yml")).to.include("redis:8.2\n");
    expect(checkImages(root)).to.deep.equal([]);
    expect(registry.requests).to.deep.equal([]);
  });

  const REFUSALS: readonly [string, RegExp, () => void][] = [
    ["a missing tag", /redis:8: the registry doesn't have this tag/, () => response(404)],
    ["a registry that refuses anonymous callers", /doesn't allow anonymous reads/, () => response(403)],
    ["a rate limit", /limits requests; try again later/, () => response(429)],
    ["a failing registry", /returned status 502/, () => response(502)],
    ["no digest", /returned no digest/, () => response(200, { "content-type": registry.behavior.type })],
    [
      "an invalid digest",
      /returned an invalid digest/,
      () => response(200, { "content-type": registry.behavior.type, "docker-content-digest": "sha256:1" }),
    ],
    [
      "an image for one platform",
      /for one platform \(application\/vnd\.oci\.image\.manifest\.v1\+json\); its digest would break/,
      () => set({ type: MANIFEST_TYPE }),
    ],
    [
      "an unsupported authentication scheme",
      /requires an unsupported authentication scheme \(Basic/,
      () => set({ challenge: () => 'Basic realm="x"' }),
    ],
    [
      "tokens without TLS from elsewhere",
      /sends tokens without TLS \(http:\/\/auth\.example\)/,
      () => set({ challenge: () => 'Bearer realm="http://auth.example/token"' }),
    ],
    ["a token service that fails", /token service .* returned status 500/, () => token(500, "")],
    ["a token service without a token", /returned no token/, () => token(200, "{}")],
    ["a token service that isn't JSON", /returned no token/, () => token(200, "<html>")],
  ];
  for (const [name, message, prepare] of REFUSALS)
    it(`with ${name}, changes nothing and reports the problem`, async () => {
      prepare();
      expect(await failure()).to.match(message);
    });

  it("names each image that isn't available", async () => {
    response(404);
    expect(await failure()).to.match(/NODE_IMAGE: .*\nREDIS_IMAGE: /);
  });

  it("doesn't wait for a registry that is silent or unreachable", async () => {
    registry.behavior.manifest = () => true;
    expect(await failure(200)).to.match(/cannot reach http:\/\/127\.0\.0\.1:\d+: .*timeout/);
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    root = repository(`127.0.0.1:${port}`);
    expect(await failure()).to.match(/cannot reach http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED/);
  });

  function set(behavior: Partial<typeof registry.behavior>) {
    Object.assign(registry.behavior, behavior);
  }
  function response(status: number, headers: Record<string, string> = {}) {
    registry.behavior.manifest = (_req, res) => {
      res.writeHead(status, headers).end();
      return true;
    };
  }
  function token(status: number, body: string) {
    registry.behavior.token = (res) => {
      res.writeHead(status).end(body);
      return true;
    };
  }
});

/** A repository with a list of two images, and copies of it. */
function repository(host: string): string {
  const root = tempFolder();
  const [node, redis] = [`${host}/library/node:24-slim`, `${host}/redis:8`];
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
