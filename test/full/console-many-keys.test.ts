import { expect } from "chai";
import { issueKeys, writeKeyLog } from "../../tools/bench/keys.ts";
import type { ConsoleClient } from "../harness/console/console-client.ts";
import { consoleBrowser } from "../harness/console/console-suite.ts";
import type { Deployment } from "../harness/deployment.ts";
import { startStandalone } from "../harness/standalone.ts";
import { tempFolder } from "../harness/temp-folder.ts";

const KEYS = 100_000;
const PAGE_SIZE = 50;
const START_TIMEOUT_MS = 120_000;

describe("the console with 100,000 keys", function () {
  this.timeout(START_TIMEOUT_MS);
  let deployment: Deployment;
  let operator: ConsoleClient;

  before(async () => {
    const DATA_DIR = tempFolder();
    const { events, signingKeysFile, plansFile } = issueKeys(KEYS, tempFolder());
    writeKeyLog(DATA_DIR, events);
    deployment = await startStandalone({ DATA_DIR, SIGNING_KEYS_FILE: signingKeysFile, PLANS_FILE: plansFile });
    operator = consoleBrowser(deployment);
    await operator.signIn();
  });
  after(() => deployment?.stop());

  async function list(query: string) {
    const { status, text } = await operator.get(`/console/keys?${query}`);
    expect(status, query).to.equal(200);
    const [, next] = /rel="next" href="\/console\/keys\?([^"]*)"/.exec(text) ?? [];
    const labels = [...text.matchAll(/<th scope="row"><a href="[^"]*">(.*?)<\/a>/g)].map(([, label]) => label);
    return { labels, next: next?.replaceAll("&#38;", "&") };
  }

  it("shows them page by page", async () => {
    const first = await list("");
    const second = await list(first.next ?? "");
    const expected = (from: number) => Array.from({ length: PAGE_SIZE }, (_, index) => `bench ${from + index}`);
    expect([first.labels, second.labels]).to.deep.equal([expected(1), expected(1 + PAGE_SIZE)]);
  });

  it("sorts them, and keeps the order on every page", async () => {
    const expected = (from: number) => Array.from({ length: PAGE_SIZE }, (_, index) => `bench ${from - index}`);
    const startMs = performance.now();
    // The search excludes the live demo's key.
    const first = await list("sort=-label&search=bench");
    const second = await list(first.next ?? "");
    const found = await list("sort=-label&search=99999");
    console.log(`      ${((performance.now() - startMs) / 3).toFixed(0)} ms a page`);
    expect([first.labels, second.labels]).to.deep.equal([expected(KEYS), expected(KEYS - PAGE_SIZE)]);
    expect(found.labels).to.deep.equal(["bench 99999"]);
    const newest = await list("sort=-issued&search=bench");
    expect(newest.labels).to.deep.equal(expected(KEYS));
    expect((await list(newest.next ?? "")).labels).to.deep.equal(expected(KEYS - PAGE_SIZE));
  });

  for (const [what, search, found] of [
    ["the last of them", `bench ${KEYS}`, [`bench ${KEYS}`]],
    ["one in the middle, ignoring case", "BENCH 54321", ["bench 54321"]],
    ["none if none matches", "nobody", []],
  ] as const)
    it(`finds ${what}`, async () => {
      const startMs = performance.now();
      const labels: unknown[] = [];
      let requests = 0;
      for (let query: string | undefined = new URLSearchParams({ search }).toString(); query !== undefined; ) {
        const page: Awaited<ReturnType<typeof list>> = await list(query);
        labels.push(...page.labels);
        query = page.next;
        requests += 1;
      }
      console.log(`      ${(performance.now() - startMs).toFixed(0)} ms, ${requests} requests`);
      expect(labels).to.deep.equal(found);
    });
});
