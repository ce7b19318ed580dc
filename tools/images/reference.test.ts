import { expect } from "chai";
import { parseReference, withDigest } from "./reference.ts";

const DIGEST = `sha256:${"a".repeat(64)}`;

describe("parseReference", () => {
  for (const [reference, registry, repository, tag, digest] of [
    ["node:24.21.0-slim", "registry-1.docker.io", "library/node", "24.21.0-slim", null],
    ["docker.io/library/node:24", "registry-1.docker.io", "library/node", "24", null],
    ["prom/prometheus:v3", "registry-1.docker.io", "prom/prometheus", "v3", null],
    [`redis:8@${DIGEST}`, "registry-1.docker.io", "library/redis", "8", DIGEST],
    ["gcr.io/distroless/cc-debian12:nonroot", "gcr.io", "distroless/cc-debian12", "nonroot", null],
    ["localhost/a:1", "localhost", "a", "1", null],
    ["127.0.0.1:5000/a/b:1", "127.0.0.1:5000", "a/b", "1", null],
  ] as const)
    it(`reads ${reference}`, () => {
      expect(parseReference(reference)).to.deep.equal({ registry, repository, tag, digest });
    });

  for (const [reference, problem] of [
    ["node", /has no tag/],
    ["localhost:5000/node", /has no tag/],
    [`node@${DIGEST}`, /has no tag/],
    ["node:latest", /has the tag latest/],
    ["node:", /invalid tag/],
    ["node:24 slim", /invalid tag/],
    ["Node:24", /invalid name/],
    ["../node:24", /invalid name/],
    ["a//b:1", /invalid name/],
    ["node:24@sha256:abc", /invalid digest/],
    [`node:24@${DIGEST}@${DIGEST}`, /invalid digest/],
    [`node:24@${DIGEST.toUpperCase()}`, /invalid digest/],
    ["", /has no tag/],
  ] as const)
    it(`refuses ${JSON.stringify(reference.slice(0, 30))}`, () => {
      expect(() => parseReference(reference)).to.throw(problem);
    });
});

describe("withDigest", () => {
  it("adds, replaces and drops a digest", () => {
    expect(withDigest("node:24", DIGEST)).to.equal(`node:24@${DIGEST}`);
    expect(withDigest(`node:24@sha256:${"b".repeat(64)}`, DIGEST)).to.equal(`node:24@${DIGEST}`);
    expect(withDigest(`node:24@${DIGEST}`, null)).to.equal("node:24");
  });
});
