import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { parseSamples } from "@geolookup/shared/runtime/observability/readings.ts";
import { expect } from "chai";
import { logLines } from "../harness/child.ts";
import type { Deployment } from "../harness/deployment.ts";
import { startStandalone } from "../harness/standalone.ts";

const BATCHES = 40;
const BATCH_REQUESTS = 100;
/** 2,000 a second. */
const BATCH_INTERVAL_MS = 50;
const MAX_LINES_IN_A_SECOND = 10;

describe("a flood of bad requests of every kind", () => {
  let service: Deployment;
  before(async function () {
    this.timeout(90_000);
    service = await startStandalone({ KEYLESS_LIMIT: "1", TLS_CERT_FILE: "", TLS_KEY_FILE: "" });
  });

  it("writes at most 10 lines in any second; lines and summaries together match the metrics", async function () {
    this.timeout(60_000);
    const shop = await service.issueKey({ kind: "publishable", plan: "free", origins: ["https://shop.test"] });
    const revoked = await service.issueKey({ kind: "secret", plan: "paid" });
    await service.keys("revoke", revoked.keyId);
    const forged = revoked.key.slice(0, -1) + (revoked.key.endsWith("a") ? "b" : "a");
    const kinds: [path: string, headers?: Record<string, string>][] = [
      ["/nowhere"],
      ["/v1/geo?key=nonsense"],
      ["/v1/geo?key="],
      [`/v1/geo?key=${forged}`],
      [`/v1/geo?key=${revoked.key}`],
      [`/v1/geo?key=${shop.key}`, { Origin: "https://evil.test" }],
      ["/v1/geo"],
      ["/no-such-page", { Host: service.docsHost }],
    ];
    const agent = new Agent({ keepAlive: true, maxSockets: 32 });
    const { hostname, port } = new URL(service.url);
    const statuses: Record<number, number> = {};
    const ask = (number: number) =>
      new Promise<void>((resolve, reject) => {
        const [path, headers = {}] = kinds[number % kinds.length] ?? ["/"];
        const outgoing = request({ hostname, port, path, headers, agent }, (incoming) => {
          const status = incoming.statusCode ?? 0;
          statuses[status] = (statuses[status] ?? 0) + 1;
          incoming.resume().once("end", resolve);
        });
        outgoing.once("error", reject).end();
      });
    const linesBefore = logLines(service.output()).length;
    const asked: Promise<void>[] = [];
    for (let batch = 0; batch < BATCHES; batch += 1) {
      for (let each = 0; each < BATCH_REQUESTS; each += 1) asked.push(ask(asked.length));
      await delay(BATCH_INTERVAL_MS);
    }
    await Promise.all(asked);
    agent.destroy();
    const metrics = parseSamples(await (await fetch(`${service.opsUrls[0]}/metrics`)).text());
    // Pending summaries are written when the process exits.
    await service.stop();

    const lines = logLines(service.output()).slice(linesBefore);
    const requests = lines.filter(({ msg }) => String(msg).startsWith("request"));
    const counted: Record<string, number> = {};
    for (const { status, repeated, kinds: left = {} } of requests) {
      if (repeated === undefined) counted[String(status)] = (counted[String(status)] ?? 0) + 1;
      for (const [kind, count] of Object.entries(left as Record<string, number>))
        counted[kind.slice(0, 3)] = (counted[kind.slice(0, 3)] ?? 0) + count;
    }
    const measured: Record<string, number> = {};
    for (const { name, labels, value } of metrics)
      if (name === "geolookup_requests_total" && Number(labels.status) >= 400)
        measured[labels.status ?? ""] = (measured[labels.status ?? ""] ?? 0) + value;
    delete statuses[200];
    expect(counted).to.deep.equal(measured);
    expect(measured).to.deep.equal(Object.fromEntries(Object.entries(statuses)));
    expect(Object.keys(measured)).to.deep.equal(["401", "403", "404", "429"]);
    expect(Object.values(measured).reduce((a, b) => a + b)).to.be.within(3_900, 4_000);

    const times = lines.map(({ time }) => Date.parse(String(time)));
    // The log's clock has whole milliseconds, the budget's is finer.
    for (const from of times)
      expect(times.filter((time) => time >= from && time < from + 990).length).to.be.at.most(MAX_LINES_IN_A_SECOND);
    expect(lines.map(({ msg }) => msg)).to.include("request (repeated)");
  });
});
