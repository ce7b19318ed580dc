import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { expect } from "chai";
import { UnreachableError } from "../download/fetch-persistently.ts";
import type { Published } from "../sources/part.ts";
import type { Candidate } from "./candidates.ts";
import { probe } from "./probe.ts";

describe("probe", () => {
  const offered = { version: "2026-11", integrity: "x", publishedMs: 1, fetch: async () => ({ lastModified: null }) };
  const ask = (find: () => Promise<Published>, probeMs = 5_000) => {
    const part = { name: "part", files: [], databaseType: "", license: "", find };
    const candidate: Candidate = { part, source: "npm", title: "Part", host: "host.test", isNewest: () => false };
    return probe(candidate, null, probeMs);
  };

  it("returns the published version", async () => {
    expect(await ask(async () => offered)).to.deep.equal({ offers: true, published: offered, publishedMs: 1 });
  });

  for (const [what, find, reason, isUnreachable] of [
    [
      "hangs while it resolves, connects or responds",
      () => new Promise<never>(() => {}),
      "host.test could not be reached",
      true,
    ],
    ["isn't reached", () => Promise.reject(new UnreachableError("refused")), "host.test could not be reached", true],
    ["refuses", () => Promise.reject(new StartError("it responded with 403")), "it responded with 403", false],
  ] as const)
    it(`reports a host that ${what}`, async () => {
      expect(await ask(find, 20)).to.deep.equal({ offers: false, reason, isUnreachable });
    });
});
