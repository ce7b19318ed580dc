import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { tempFolder } from "../../test/harness/temp-folder.ts";
import { checkImages } from "./check-images.ts";
import { COPIES, IMAGES_FILE } from "./image-list.ts";

const ROOT = join(import.meta.dirname, "../..");

describe("checkImages", () => {
  let root: string;
  beforeEach(() => {
    root = tempFolder();
    mkdirSync(join(root, "infra"));
    for (const file of [IMAGES_FILE, ...COPIES]) cpSync(join(ROOT, file), join(root, file));
  });
  const edit = (file: string, from: string, to: string) => {
    const text = readFileSync(join(root, file), "utf8");
    expect(text).to.include(from);
    writeFileSync(join(root, file), text.replace(from, to));
  };

  it("finds no problem in this repository", () => {
    expect(checkImages(root)).to.deep.equal([]);
  });

  const [DOCKERFILE = "", COMPOSE = ""] = COPIES;
  for (const [name, file, from, to, problem] of [
    ["another base image", DOCKERFILE, "FROM base AS pruned", "FROM alpine:3 AS pruned", /line \d+: alpine:3 isn't in/],
    ["a file copied from another image", DOCKERFILE, "COPY --from=node", "COPY --from=busybox:1", /busybox:1 isn't in/],
    ["a mount", DOCKERFILE, "RUN npm ci", "RUN --mount=type=bind,from=x/y:1 npm ci", /x\/y:1 isn't in/],
    ["another default", DOCKERFILE, "ARG NODE_IMAGE=node:24", "ARG NODE_IMAGE=node:25", /the images in .* differ from/],
    ["another image", COMPOSE, "image: redis:8", "image: busybox:8", /busybox:8 isn't in/],
    ["an unknown name", COMPOSE, "image: redis:8", `image: \${CACHE_IMAGE:-redis:8}`, /CACHE_IMAGE:-redis:8\} isn't/],
    ["another default in Compose", COMPOSE, "image: nats:2", "image: nats:3", /the images in .* differ from/],
  ] as const)
    it(`finds ${name}`, () => {
      edit(file, from, to);
      expect(checkImages(root).join("\n")).to.match(problem);
    });

  it("finds an unused image", () => {
    edit(IMAGES_FILE, "REDIS_IMAGE", "OTHER_IMAGE=x:1\nREDIS_IMAGE");
    expect(checkImages(root).join("\n")).to.include("OTHER_IMAGE is unused");
  });

  for (const [line, problem] of [
    ["REDIS_IMAGE=redis", /has no tag/],
    ["REDIS_IMAGE=redis:latest", /latest/],
    ["REDIS_IMAGE=redis:8@sha256:12", /invalid digest/],
    ["NODE_IMAGE=node:24", /is listed twice/],
    ["redis:8", /must be NAME_IMAGE=repository:tag/],
  ] as const)
    it(`refuses the line ${line}`, () => {
      edit(IMAGES_FILE, "REDIS_IMAGE=redis:8", line);
      expect(() => checkImages(root)).to.throw(problem);
    });
});
