import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { expect } from "chai";
import { GUIDES_NAV, NAV } from "../docs/nav.ts";
import { Html } from "../html.ts";
import { attributes, textOf } from "../testing/serve-portal.ts";
import { findGuideFiles, isPublic, resolveGuideLink } from "./guide-files.ts";
import { renderedGuides, withOwnAddresses } from "./guide-pages.ts";

const FIRST_USE_TIMEOUT_MS = 20_000;
const FOR_CUSTOMERS = ["/back-end", "/changelog", "/coming-from", "/front-end"];
/** For readers of the repository. */
const NOT_SERVED = /^docs\/(?:decisions\/|(?:capacity|licenses|performance)\.md)/;

describe("guides", function () {
  this.timeout(FIRST_USE_TIMEOUT_MS);
  const rendered = () => renderedGuides("/front-end");
  const markup = async (path: string) => (await rendered().get(path))?.content.text ?? "";

  it("are rendered beginning with the one that is wanted first", async () => {
    const worker = new Worker(new URL("render-worker.ts", import.meta.url), { workerData: "/changelog" });
    const paths: string[] = [];
    worker.on("message", ([path]: [string]) => paths.push(path));
    await once(worker, "exit");
    expect(paths[0]).to.equal("/changelog");
    expect(paths).to.have.members([...rendered().keys()]);
  });

  it("are for everyone in docs/site, and for operators in docs/, without decisions, measurements and licenses", () => {
    const paths = [...rendered().keys()];
    expect(paths.filter(isPublic).sort()).to.deep.equal(FOR_CUSTOMERS);
    const files = globSync("docs/{*,proxies/*}.md").filter((file) => !NOT_SERVED.test(file));
    expect(files).to.have.length.above(10);
    const expected = files.map((file) => file.replace(/^docs/, "/console/guides").replace(/(\/README)?\.md$/, ""));
    expect(paths.filter((path) => !isPublic(path))).to.have.members(expected);
  });

  it("are all in the navigation of their readers", () => {
    const listed = [...NAV, ...GUIDES_NAV].flatMap(({ pages }) => pages).map(({ path }) => path);
    expect(listed).to.include.members([...rendered().keys()]);
  });

  it("have the title of their file, and links to each other", async () => {
    expect((await rendered().get("/console/guides/architecture"))?.title).to.equal("How it works");
    const links = attributes(await markup("/console/guides"), "href");
    expect(links).to.include("/back-end").and.include("/console/guides/keys");
    for (const path of rendered().keys())
      expect(
        attributes(await markup(path), "href").filter((href) => /\.md(#|$)/.test(href)),
        path,
      ).to.deep.equal([]);
  });

  it("have no links to pages that their readers can't open", async () => {
    for (const path of FOR_CUSTOMERS)
      expect(attributes(await markup(path), "href").join(" "), path).to.not.match(/\/console|\/guides/);
    expect(textOf(await markup("/front-end"))).to.include("issues keys");
  });

  it("in docs/site, link to files in the repository that have a page for customers, except about issuing keys", () => {
    for (const file of globSync("docs/site/*.md")) {
      const links = Array.from(readFileSync(file, "utf8").matchAll(/\]\(([^#)\s]\S*)\)/g), ([, target = ""]) => target);
      // `npm run lint:links` looks for the files and their anchors, and the docs site's own test for those of the pages.
      for (const target of links.filter((target) => !target.startsWith("../keys.md"))) {
        expect(target, `${file}: dead in the repository`).to.not.match(/^https:\/\/(?:docs\.)?geo\.example\.com/);
        if (!target.startsWith("https:"))
          expect(resolveGuideLink(findGuideFiles(), file, target), `${file}: ${target}`).to.not.equal(null);
      }
    }
  });

  it("leave out asides that only link to decisions, which aren't served", async () => {
    expect(textOf(await markup("/console/guides/limits"))).to.match(/then\s+perCallerHourly\./);
    for (const path of rendered().keys())
      expect(textOf(await markup(path)), path).to.not.match(/\((?:why|how|decision)\b[^)]{0,20}\)/);
  });

  for (const path of ["none", "compose.md", "../CHANGELOG", "README", "decisions", "performance", "licenses"])
    it(`don't include ${path}`, () => expect(rendered().get(`/console/guides/${path}`)).to.equal(undefined));
});

describe("withOwnAddresses", () => {
  const guide = new Html(
    "<p>https://geo.example.com/v1/geo https://docs.geo.example.com/geolookup.js https://shop.example.com</p>",
  );

  it("puts the deployment's addresses into a guide, escaped", () => {
    const urls = { apiUrl: "https://geo.shop.test", docsUrl: "https://docs.shop.test/$&<b>" };
    expect(withOwnAddresses(guide, urls).text).to.equal(
      "<p>https://geo.shop.test/v1/geo https://docs.shop.test/$&#38;&#60;b&#62;/geolookup.js https://shop.example.com</p>",
    );
  });

  it("leaves the examples if the addresses are unknown", () =>
    expect(withOwnAddresses(guide, { apiUrl: null, docsUrl: null }).text).to.equal(guide.text));
});

describe("resolveGuideLink", () => {
  const guides = [
    { file: "docs/api.md", path: "/console/guides/api" },
    { file: "docs/keys.md", path: "/console/guides/keys" },
    { file: "docs/security.md", path: "/console/guides/security" },
    { file: "docs/proxies/README.md", path: "/console/guides/proxies" },
    { file: "docs/site/back-end.md", path: "/back-end" },
    { file: "docs/site/front-end.md", path: "/front-end" },
  ];
  for (const [from, target, path] of [
    ["docs/limits.md", "keys.md", "/console/guides/keys"],
    ["docs/limits.md", "keys.md#rotate-a-key", "/console/guides/keys#rotate-a-key"],
    ["docs/proxies/nginx.md", "../keys.md", "/console/guides/keys"],
    ["docs/limits.md", "proxies/README.md", "/console/guides/proxies"],
    ["docs/keys.md", "site/back-end.md#errors", "/back-end#errors"],
    ["docs/site/back-end.md", "front-end.md#errors", "/front-end#errors"],
    ["docs/site/back-end.md", "../keys.md", null],
    ["docs/site/back-end.md", "../security.md#logs", "/privacy"],
    ["docs/site/back-end.md", "../security.md", "/privacy"],
    ["docs/site/back-end.md", "../api.md#errors", "/errors"],
    ["docs/site/back-end.md", "../api.md#the-record", "/reference"],
    ["docs/limits.md", "../README.md", null],
    ["docs/limits.md", "../services/portal/src/app.ts", null],
    ["docs/limits.md", "../../../etc/passwd", null],
  ] as const)
    it(`resolves ${target} in ${from} to ${path}`, () => expect(resolveGuideLink(guides, from, target)).to.equal(path));
});
