import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import express, { type RequestHandler } from "express";
import { createReportParser, type ReportState } from "../deployment/kept-report.ts";
import { testDeployment } from "../testing/test-deployment.ts";
import { TEST_REPORT } from "../testing/test-report.ts";
import type { ConsoleContext } from "./context.ts";
import { dataRoutes } from "./data-routes.ts";
import type { Streams } from "./streams.ts";

describe("the console's Data page", () => {
  async function pageFor(state: ReportState): Promise<string> {
    const context = {
      deployment: () => testDeployment({ report: async () => state }),
      backend: { dataStatus: null },
      sessions: { csrfToken: () => "" },
      clock: Date.now,
    } as unknown as ConsoleContext;
    const signedIn: RequestHandler = (_req, res, next) => {
      Object.assign(res.locals, { session: { operator: { name: "admin", source: "admin" } }, role: "admin" });
      next();
    };
    const routes = dataRoutes(context, { streams: {} as Streams, commands: null });
    const server = createServer(express().use(signedIn, routes)).listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      return await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/data`)).text();
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  it("shows the report with a number at each bar, and the credits", async () => {
    const text = await pageFor({ report: TEST_REPORT });
    expect(text).to.include("2026-11-01 (21 days old)").and.include("1,000 of 2,000 public IPv4 addresses");
    expect(text).to.match(
      /<code>city<\/code><\/th><td class="share"><svg[^>]*>.*?width="25\.0".*?<\/svg><span>25\.00%<\/span>/,
    );
    expect(text).to.include("Europe").and.include("France").and.include('<a href="https://db-ip.com">');
    expect(text).to.include("city&#60;i&#62;.mmdb");
    expect([...text.matchAll(/<svg(?![^>]*aria-hidden)/g)]).to.deep.equal([]);
  });

  it("says that the report is being computed, or why there is none to show", async () => {
    expect(await pageFor("none"))
      .to.include("is being computed")
      .and.include("./geolookup data report");
    expect(await pageFor("invalid"))
      .to.include("./geolookup data report")
      .and.not.include("is being computed");
    expect(await pageFor("unavailable")).to.include("geo service is not responding");
  });

  it("reads geo's report: only valid ones about the databases in use, with today's ages", () => {
    let now = Date.UTC(2026, 10, 22);
    const parse = createReportParser(() => now);
    const json = JSON.stringify(TEST_REPORT);
    expect(parse({ json, loadedSha256: ["aa"] })).to.deep.equal({ report: TEST_REPORT });
    now = Date.UTC(2026, 11, 1);
    const [database] = TEST_REPORT.databases;
    expect(parse({ json, loadedSha256: ["aa"] })).to.deep.equal({
      report: { ...TEST_REPORT, databases: [{ ...database, ageDays: 30 }] },
    });
    expect(parse({ json, loadedSha256: ["aa", "bb"] })).to.equal("none");
    expect(parse({ json: null, loadedSha256: [] })).to.equal("none");
    const script = json.replace("https://db-ip.com", "javascript:alert(1)");
    for (const bad of ["", "{", "[]", json.slice(0, -9), json.replace('"format":1', '"format":2'), script])
      expect(parse({ json: bad, loadedSha256: ["aa"] }), bad).to.equal("invalid");
  });
});
