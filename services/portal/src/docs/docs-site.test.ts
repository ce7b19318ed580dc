import type { DataReport } from "@geolookup/shared/domain/data-report.ts";
import { ERROR_CODES } from "@geolookup/shared/domain/errors.ts";
import type { Plan } from "@geolookup/shared/domain/plans.ts";
import { expect } from "chai";
import { renderedGuides } from "../guides/guide-pages.ts";
import { attributes, servePortal, textOf } from "../testing/serve-portal.ts";
import { testDeployment } from "../testing/test-deployment.ts";
import { TEST_REPORT } from "../testing/test-report.ts";

const HOSTILE = `<img src=x onerror="alert(1)">'&`;

/** A deployment in which every text is hostile. */
const hostileDeployment = testDeployment({
  demoKey: HOSTILE,
  site: {
    ...{ name: "Example & Geo", contact: "mailto:help@example.com", terms: "https://example.com/terms?a&b" },
    hasConsole: true,
  },
  plans: () => new Map([[HOSTILE, { fields: "paid", monthlyRequests: 12_345 }]]),
  databases: async () => [
    {
      name: HOSTILE,
      databaseType: HOSTILE,
      buildUnixSeconds: 1_700_000_000,
      attribution: HOSTILE,
      attributionUrl: `https://vendor.test/${HOSTILE}`,
    },
  ],
});

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

describe("the docs site", () => {
  let portal: Awaited<ReturnType<typeof servePortal>>;
  /** Every page that can be reached from the start page, by path. */
  const pages = new Map<string, string>();
  const links = new Set<string>();

  before(async () => {
    portal = await servePortal(hostileDeployment);
    const paths = ["/"];
    for (const path of paths) {
      const response = await portal.get(path);
      expect(response.status, path).to.equal(200);
      if (!response.headers.get("content-type")?.startsWith("text/html")) continue;
      const body = await response.text();
      pages.set(path, body);
      for (const link of [...attributes(body, "href"), ...attributes(body, "src")]) {
        const { origin, pathname, hash } = new URL(link, `https://site.test${path}`);
        // The test deployment has no console.
        if (origin !== "https://site.test" || pathname.startsWith("/console")) continue;
        links.add(pathname + hash);
        if (!paths.includes(pathname)) paths.push(pathname);
      }
    }
  });
  after(() => portal[Symbol.asyncDispose]());

  it("links the start page to every other page, without dead links", () => {
    expect([...pages.keys()]).to.include.members(ERROR_CODES.map((code) => `/errors/${code}`));
    expect([...links]).to.include.members(["/reference", "/openapi.json", "/privacy", "/data", "/changelog"]);
    expect(links.size).to.be.above(30);
  });

  it("has the target of every anchor", () => {
    const within = [...links].filter((link) => link.includes("#"));
    expect(within).to.include("/reference#plans");
    for (const link of within) {
      const [path = "", id = ""] = link.split("#");
      expect(attributes(pages.get(path) ?? "", "id"), link).to.include(id);
    }
  });

  it("escapes everything that comes from the deployment", () => {
    for (const [path, body] of pages) {
      expect(body, path).to.not.include("<img src=x");
      expect(body, path).to.not.match(/ onerror="/);
    }
    expect(textOf(pages.get("/reference") ?? "")).to.include(`${HOSTILE}paid12,345`);
    expect(textOf(pages.get("/data") ?? ""))
      .to.include(HOSTILE)
      .and.include("2023-11-14");
    expect(attributes(pages.get("/") ?? "", "data-key")).to.deep.equal([HOSTILE]);
  });

  it("has one h1, a title, landmarks and a skip link on every page", () => {
    for (const [path, body] of pages) {
      const count = (pattern: RegExp) => body.match(pattern)?.length ?? 0;
      expect(
        [count(/<h1[ >]/g), count(/<main /g), count(/<nav class="site"/g), count(/<header /g), count(/<footer /g)],
        path,
      ).to.deep.equal([1, 1, 1, 1, 1]);
      expect(body, path).to.match(/<title>[^<]+ · Example &#38; Geo<\/title>/);
      expect(body, path).to.include('<html lang="en">');
      expect(body.indexOf('href="#content"'), path).to.be.within(0, body.indexOf("<nav "));
      expect(attributes(body, "aria-current"), path).to.deep.equal(["page"]);
    }
  });

  it("has a link to each section, and lists the sections of a page", () => {
    for (const [path, body] of pages) {
      if (path === "/") continue;
      const headings = [...body.matchAll(/<h[23] id="([^"]*)">(.*?)<\/h/gs)];
      for (const [, id = "", inner] of headings) expect(inner, path).to.include(`<a class="anchor" href="#${id}">`);
      const listed = attributes(/<nav class="contents".*?<\/nav>/s.exec(body)?.[0] ?? "", "href");
      expect(listed, path).to.deep.equal(headings.length < 2 ? [] : headings.map(([, id]) => `#${id}`));
    }
  });

  it("links the pages of the navigation in its order", () => {
    const [before, after] = ["prev", "next"].map((rel) =>
      new RegExp(`rel="${rel}" href="([^"]*)"`).exec(pages.get("/back-end") ?? "")?.at(1),
    );
    expect([before, after]).to.deep.equal(["/front-end", "/reference"]);
  });

  it("has nine entries in its navigation, and no page that is only for operators", () => {
    const [nav = ""] = /<nav class="site".*?<\/nav>/s.exec(pages.get("/") ?? "") ?? [];
    expect(attributes(nav, "href")).to.deep.equal([
      ...["/", "/front-end", "/back-end", "/reference", "/errors", "/data", "/privacy", "/coming-from", "/changelog"],
    ]);
    for (const path of pages.keys())
      expect(path).to.not.match(/\/guides|\/errors\/(?:country_not_allowed|invalid_edge_token)/);
  });

  it("links to the deployment's contact and terms, and to the console, on every page", () => {
    for (const [path, body] of pages) {
      const [footer = ""] = /<footer .*<\/footer>/s.exec(body) ?? [];
      expect(attributes(footer, "href"), path).to.deep.equal([
        ...["mailto:help@example.com", "https://example.com/terms?a&b", "/privacy", "/data", "/console"],
      ]);
    }
  });

  it("is read in an hour: at most 14,000 words, those for operators included", async () => {
    let words = 0;
    for (const path of [...pages.keys(), "/errors/country_not_allowed", "/errors/invalid_edge_token"]) {
      const body = pages.get(path) ?? (await (await portal.get(path)).text());
      const [main = ""] = /<main .*<\/main>/s.exec(body) ?? [];
      words += textOf(main.replace(/<(?!\/?(?:a|b|code|em|strong|span)\b)[^>]*>/g, " ")).match(/\S+/g)?.length ?? 0;
    }
    expect(words).to.be.within(6_000, 14_000);
  });

  it("has every page as Markdown, with absolute links, and an index of them in llms.txt", async () => {
    const index = await (await portal.get("/llms.txt")).text();
    expect(index).to.match(/^# Example & Geo\n\n> `GET https:\/\/geo\.example\.com\/v1\/geo` /);
    const listed = Array.from(
      index.matchAll(/\]\(https:\/\/docs\.geo\.example\.com(\/[^)]*)\)/g),
      ([, path = ""]) => path,
    );
    expect(listed).to.deep.equal([
      ...["/index.md", "/front-end.md", "/back-end.md", "/reference.md", "/errors.md", "/data.md", "/privacy.md"],
      ...["/coming-from.md", "/changelog.md", "/openapi.json"],
    ]);
    for (const path of pages.keys()) {
      const response = await portal.get(path === "/" ? "/index.md" : `${path}.md`);
      expect([response.status, response.headers.get("content-type")], path).to.deep.equal([
        ...[200, "text/markdown; charset=utf-8"],
      ]);
      const text = await response.text();
      expect(text, path).to.match(/^# \S/m);
      const prose = text.replace(/```.*?```|`[^`\n]*`/gs, "");
      expect(prose, path).to.not.match(/(?<!\\)<\/?[a-z]+[ >]|\]\(\//);
    }
    const frontEnd = await (await portal.get("/front-end.md")).text();
    expect(frontEnd).to.include('```javascript\nconst query = "key=geo_pk_…&fields=countryName";\n');
    expect(frontEnd)
      .to.include("https://geo.example.com/v1/geo")
      .and.match(/\| --- \|/);
    for (const path of ["/nowhere.md", "/index", "/.md", "/console.md"])
      expect((await portal.get(path)).status, path).to.equal(404);
  });

  it("redirects the former paths of its pages", async () => {
    for (const [from, to] of [
      ["/quick-start", "/"],
      ["/guides", "/"],
      ["/guides/front-end", "/front-end"],
      ["/guides/content-security-policy", "/front-end#content-security-policy"],
      ["/guides/back-end", "/back-end"],
      ["/guides/privacy", "/privacy"],
      ["/guides/server-package", "/back-end"],
      ["/guides/keys", "/console/guides/keys"],
      ["/guides/console", "/console/guides/keys#in-the-console"],
      ["/guides/docs-site", "/console/guides/production#the-docs-site"],
      ["/guides/metrics", "/console/guides/monitor"],
      ["/guides/operations", "/console/guides"],
      ["/guides/capacity", "/console/guides"],
      ["/guides/decisions", "/console/guides"],
      ["/guides/licenses", "/console/guides"],
      ["/guides/performance", "/console/guides"],
    ] as const) {
      const response = await portal.get(from, { redirect: "manual" });
      expect([response.status, response.headers.get("location")], from).to.deep.equal([301, to]);
      const [path = "", id] = to.split("#");
      const page = pages.get(path) ?? (await renderedGuides(path).get(path))?.content.text ?? "";
      expect(page, to).to.not.equal("");
      if (id) expect(attributes(page, "id"), to).to.include(id);
    }
  });

  it("has unique IDs on every page", () => {
    for (const [path, body] of pages) {
      const ids = attributes(body, "id");
      expect(new Set(ids).size, path).to.equal(ids.length);
    }
  });

  it("only loads its own scripts and styles, and compresses them", async () => {
    for (const link of [...links].filter((link) => /\.(css|js)$/.test(link))) {
      const { status, headers } = await portal.get(link);
      expect([status, headers.get("content-encoding")], link).to.deep.equal([200, "gzip"]);
    }
  });
});

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
