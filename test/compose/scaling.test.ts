import { expect } from "chai";
import { startLoad } from "../harness/load.ts";
import { waitFor } from "../harness/wait-for.ts";
import type { Container } from "./harness/containers.ts";
import { fixtureOptions } from "./harness/fixtures.ts";
import { onCompose } from "./harness/suite.ts";

/** How soon a healthy node must have its share. */
const SHARE_WITHIN_MS = 30_000;
/** How far a node's share may be from an equal one. */
const TOLERANCE = 0.2;
/** Lookups over which shares are measured. They vary by a few percent. A gateway with a warm network cache sends 50 per second. */
const MEASURED = 1_600;

describe("scaling geo nodes from one to four and back under load", () => {
  const cluster = onCompose("up", fixtureOptions);
  let shares: string[] = [];
  after(() => {
    for (const line of shares) process.stderr.write(`      ${line}\n`);
  });

  /** The number of addresses that each node has looked up. */
  const lookups = async (nodes: Container[]): Promise<number[]> =>
    Promise.all(
      nodes.map(async (node) => {
        const text = await cluster().ops(node, "/metrics");
        const counts = [...text.matchAll(/^geolookup_geo_lookups_total\{[^}]*\} (\d+)/gm)];
        return counts.reduce((sum, [, count]) => sum + Number(count), 0);
      }),
    );
  /** Each node's share of the next `count` lookups; 1 is an equal share. */
  const partsOf = async (nodes: Container[], count: number): Promise<number[]> => {
    const before = await lookups(nodes);
    const grown = async () => (await lookups(nodes)).map((now, index) => now - (before[index] ?? 0));
    const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
    const each = await waitFor(
      `${count} lookups`,
      async () => {
        const since = await grown();
        return sum(since) >= count ? since : undefined;
      },
      60_000,
    );
    return each.map((one) => (one * nodes.length) / sum(each));
  };

  it("no request fails, and every node has an equal share within 30 s of being healthy", async function () {
    this.timeout(300_000);
    const keys = await cluster().issueKeys(4);
    const load = startLoad({ urls: [cluster().url], keys, clients: 12, requestsPerSecond: 400 });
    for (const count of [4, 1]) {
      await load.more(400);
      await cluster().make("scale", `geo=${count}`);
      const nodes = await cluster().healthy("geo", count);
      const healthySince = performance.now();
      const parts = await waitFor(
        "equal shares",
        async () => {
          const measured = await partsOf(nodes, MEASURED / 4);
          return measured.every((part) => Math.abs(part - 1) <= TOLERANCE) ? measured : undefined;
        },
        SHARE_WITHIN_MS,
      );
      const tookMs = performance.now() - healthySince;
      shares.push(
        `geo=${count}: shares ${parts.map((part) => part.toFixed(3)).join(" ")} within ${Math.round(tookMs)} ms`,
      );
      const settled = await partsOf(nodes, MEASURED);
      shares.push(`geo=${count}: then, of ${MEASURED}: ${settled.map((part) => part.toFixed(3)).join(" ")}`);
      for (const part of settled) expect(part).to.be.within(1 - TOLERANCE, 1 + TOLERANCE);
    }
    const { statuses, errors, partial, slowestMs } = await load.stop();
    shares.push(`${JSON.stringify(statuses)}, slowest ${Math.round(slowestMs)} ms`);
    expect({ errors, partial, statuses: Object.keys(statuses) }).to.deep.equal({
      errors: {},
      partial: 0,
      statuses: ["200"],
    });
    shares = [...shares];
  });
});
