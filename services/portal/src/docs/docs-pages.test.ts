import type { DataReport } from "@geolookup/shared/domain/data-report.ts";
import type { Plan } from "@geolookup/shared/domain/plans.ts";
import { expect } from "chai";
import { servePortal, textOf } from "../testing/serve-portal.ts";
import { testDeployment } from "../testing/test-deployment.ts";
import { TEST_REPORT } from "../testing/test-report.ts";

/** 1,000 IPv4 addresses in 10 networks, and 8 IPv6 networks of /48 in 4, compared with another vendor's city database. */
const COMPARISON: NonNullable<DataReport["comparison"]> = {
  databases: [
    {
      name: "licensed-by-us.mmdb",
      databaseType: "Other<i>-City",
      sha256: "bb",
      buildUnixSeconds: Date.UTC(2026, 10, 3) / 1_000,
      ageDays: 19,
      networks: 12,
      records: 5,
      attribution: "Places by Other",
      attributionUrl: "https://other.test",
    },
  ],
  all: {
    ipv4: {
      country: { both: [10, 1_000], same: [9, 945] },
      region: { both: [8, 800], same: [4, 528] },
      city: { both: [6, 500], same: [3, 180] },
      distance: { both: [10, 1_000], median: [12, 267.4], p90: [900, 1_900] },
    },
    ipv6: {
      country: { both: [4, 8], same: [4, 6] },
      region: { both: [0, 0], same: [0, 0] },
      city: { both: [2, 3], same: [1, 1] },
      distance: { both: [0, 0], median: [null, null], p90: [null, null] },
    },
  },
  countries: [],
};

describe("pages of the docs site", () => {
  async function text(deployment: Parameters<typeof testDeployment>[0], path: string): Promise<string> {
    const portal = await servePortal(testDeployment(deployment));
    try {
      return textOf(await (await portal.get(path)).text());
    } finally {
      await portal[Symbol.asyncDispose]();
    }
  }

  it("have the deployment's current values in their Markdown, too", async () => {
    const deployment = testDeployment();
    await using portal = await servePortal(deployment);
    for (const apiUrl of ["https://geo.one.test", "https://geo.two.test"]) {
      deployment.apiUrl = apiUrl;
      expect(await (await portal.get("/reference.md")).text()).to.include(`${apiUrl}/v1/geo`);
    }
  });

  it("link to the console only if there is one", async () => {
    for (const hasConsole of [true, false])
      expect(
        (await text({ site: { ...testDeployment().site, hasConsole } }, "/")).includes("Console for operators"),
      ).to.equal(hasConsole);
  });

  it("show the keyless limit, or say that a key is required", async () => {
    expect(await text({ keyless: { hourlyLimit: 1_200, ipv6Prefix: 56 } }, "/reference"))
      .to.include("1,200 requests per hour")
      .and.include("each /56 network");
    const keyed = { keyless: { hourlyLimit: null, ipv6Prefix: 64 } };
    expect(await text(keyed, "/")).to.include("Requests need a key");
    expect(await text(keyed, "/reference"))
      .to.include("This service requires a key")
      .and.include("A request without a key returns 401 missing_key");
    for (const path of ["/", "/reference"])
      expect(await text(keyed, path), path).to.not.match(/back to the free|[Ww]ithout a key, you get/);
    expect(await text(keyed, "/errors/missing_key")).to.include("No API key was sent, and this API requires one");
    expect(await text(keyed, "/errors/rate_limited")).to.include("This service requires a key");
  });

  it("use the deployment's own limits in examples, as does the OpenAPI description", async () => {
    const own = {
      keyless: { hourlyLimit: 3, ipv6Prefix: 64 },
      plans: () => new Map([["small", { fields: "paid", monthlyRequests: 7 } as const]]),
    };
    for (const path of ["/errors/rate_limited", "/openapi.json"])
      expect(await text(own, path)).to.include("has used all 3 keyless requests for this hour");
    for (const path of ["/errors/quota_exceeded", "/openapi.json"])
      expect(await text(own, path)).to.include("has used all 7 requests that its plan `small` includes");
    expect(await text(own, "/errors")).to.not.match(/\b60\b/);
  });

  it("show limits per caller and per second if any plan has them", async () => {
    const limits = { perCallerHourly: 1_500, rate: { perSecond: 10, burst: 40 } };
    const plain = { fields: "paid", monthlyRequests: 7 } as const;
    const limited = () =>
      new Map<string, Plan>([
        ["small", plain],
        ["widget", { ...plain, limits }],
      ]);
    const none = () => new Map([["small", plain]]);
    const shown = await text({ plans: limited }, "/reference");
    expect(shown)
      .to.match(/1,500 an hour per caller, 10 a second \(burst 40\)/)
      .and.match(/requests per second\s+for the key/);
    expect(await text({ plans: none }, "/reference")).to.not.match(/Other limits|requests per second/);
    const keyless = { hourlyLimit: null, ipv6Prefix: 64 };
    expect(await text({ keyless, plans: none }, "/errors/rate_limited")).to.include("No plan has any of these limits");
    expect(await text({ keyless, plans: limited }, "/errors/rate_limited"))
      .to.include("For the limits of each plan")
      .and.include("1500 requests per hour that the plan `widget` sets");
  });

  it("say that the live demo is off if the API's address is unknown, and show an example address", async () => {
    const page = await text({ apiUrl: null }, "/");
    expect(page).to.include("The live demo is off").and.include("curl 'https://geo.example.com/v1/geo'");
  });

  it("list the data sources for programs of any origin", async () => {
    const databases = async () => [
      { name: "a.mmdb", databaseType: "A", buildUnixSeconds: 1_700_000_000, attribution: "", attributionUrl: "" },
      { name: "b.mmdb", databaseType: "B", buildUnixSeconds: 0, attribution: "B", attributionUrl: "https://b.test" },
    ];
    const nextRefreshAt = async () => "2026-11-23T04:00:00.000Z";
    await using portal = await servePortal(testDeployment({ databases, nextRefreshAt }));
    const response = await portal.get("/data.json");
    expect(response.headers.get("access-control-allow-origin")).to.equal("*");
    expect(await response.json()).to.deep.equal({
      databases: [
        { name: "a.mmdb", databaseType: "A", attribution: "", attributionUrl: "", builtAt: "2023-11-14T22:13:20.000Z" },
        { name: "b.mmdb", databaseType: "B", attribution: "B", attributionUrl: "https://b.test", builtAt: null },
      ],
      nextRefreshAt: "2026-11-23T04:00:00.000Z",
    });
  });

  it("credit the loaded databases below the demo", async () => {
    const credit = { name: "a.mmdb", databaseType: "City", buildUnixSeconds: 0, attribution: "Places by A" };
    const databases = async () => [{ ...credit, attributionUrl: "https://a.test" }];
    expect(await text({ databases }, "/")).to.include("Data: Places by A");
    expect(await text({ databases }, "/data")).to.include("build date unknown");
  });

  it("say how far the data agrees with databases that the operator has compared it with, without file names", async () => {
    const report = async () => ({ report: { ...TEST_REPORT, comparison: COMPARISON } });
    await using portal = await servePortal(testDeployment({ report }));
    const markdown = await (await portal.get("/data.md")).text();
    expect(markdown).to.include(
      "On 2026-11-22, the databases in use were compared with `Other<i>-City`, built 2026-11-03 (19 days old).",
    );
    expect(markdown.slice(markdown.indexOf("| Agreement")).split("\n\n")[0]?.split("\n")).to.deep.equal([
      "| Agreement | IPv4 addresses | IPv6 /48s |",
      "| --- | --- | --- |",
      "| Same country | 94.50% | 75.00% |",
      "| Same region | 66.00% | n/a |",
      "| Same city | 36.00% | 33.33% |",
      "| Median distance | 267 km | n/a |",
    ]);
    expect(markdown).to.include("Compared data: [Places by Other](https://other.test)");
    const page = await (await portal.get("/data")).text();
    expect(page).to.include("<code>Other&#60;i&#62;-City</code>").and.not.include("licensed-by-us");
  });

  it("give only advice about cities if no comparison is known", async () => {
    for (const state of [{ report: TEST_REPORT }, "none", "invalid", "unavailable"] as const)
      expect(await text({ report: async () => state }, "/data"))
        .to.include("treat a city as a hint")
        .and.not.match(/compared with|Same country/);
  });
});
