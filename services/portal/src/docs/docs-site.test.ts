import { ERROR_CODES } from "@geolookup/shared/domain/errors.ts";
import { expect } from "chai";
import { renderedGuides } from "../guides/guide-pages.ts";
import { attributes, servePortal, textOf } from "../testing/serve-portal.ts";
import { testDeployment } from "../testing/test-deployment.ts";

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

  it("doesn't cover its pages with the navigation in browsers that can't open it", async () => {
    const style = await (await portal.get("/style.css")).text();
    const [, rules = ""] = /@supports not selector\(:popover-open\) \{\n(.*?)\n\}/s.exec(style) ?? [];
    expect(rules).to.match(/:is\(nav\.site, nav\.contents\)\[popover\] \{\s+position: static;/);
  });

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
