import { once } from "node:events";
import { readdirSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { expect } from "chai";
import { NAV } from "../docs/nav.ts";
import { attributes, textOf } from "../testing/serve-portal.ts";
import { resolveGuideLink } from "./guide-files.ts";
import { guidePages } from "./guide-pages.ts";

const FIRST_USE_TIMEOUT_MS = 20_000;
const NAV_GUIDES = NAV.flatMap(({ pages }) => pages).filter(({ path }) => path.startsWith("/guides/"));

const guidePage = async (path: string) => (await guidePages().get(path)) ?? null;

describe("guides", function () {
  this.timeout(FIRST_USE_TIMEOUT_MS);
  const markup = async (path: string) => (await guidePage(path))?.body.toString() ?? "";

  it("are rendered beginning with the one that is wanted first", async () => {
    const worker = new Worker(new URL("render-worker.ts", import.meta.url), { workerData: "/changelog" });
    const rendered: string[] = [];
    worker.on("message", ([path]: [string]) => rendered.push(path));
    await once(worker, "exit");
    expect(rendered[0]).to.equal("/changelog");
    expect(rendered).to.have.members([...guidePages().keys()]);
  });

  it("have a page for every file in docs/ and docs/decisions/", async () => {
    for (const folder of ["", "decisions/"])
      for (const file of readdirSync(`docs/${folder}`).filter((name) => name.endsWith(".md") && name !== "README.md"))
        expect(await markup(`/guides/${folder}${file.slice(0, -3)}`), file).to.match(/<h1 id="/);
  });

  it("are all in the navigation", async () => {
    expect(NAV_GUIDES).to.have.length.above(10);
    for (const { path } of NAV_GUIDES) expect(attributes(await markup(path), "aria-current"), path).to.have.length(1);
  });

  it("start with an index", async () => {
    expect(attributes(await markup("/guides"), "href")).to.include.members(["/guides/front-end", "/guides/back-end"]);
  });

  it("have the title of their file, and links to each other", async () => {
    const page = await markup("/guides/architecture");
    expect(page).to.include("<title>Architecture · geolookup</title>");
    expect(attributes(page, "href")).to.include("/guides/docs-site");
    expect(attributes(page, "href").filter((href) => /\.md(#|$)/.test(href))).to.deep.equal([]);
  });

  it("include the package for back ends, with links from its guide", async () => {
    expect(textOf(await markup("/guides/server-package"))).to.include("Who the visitor is");
    expect(attributes(await markup("/guides/back-end"), "href")).to.include.members([
      "/guides/server-package",
      "/quick-start#request",
    ]);
  });

  it("include the changelog, without brackets around versions", async () => {
    expect(textOf(await markup("/changelog")))
      .to.include("0.1.0")
      .and.not.include("[0.1.0]");
  });

  for (const path of ["/guides/", "/guides/none", "/guides/compose.md", "/guides/../CHANGELOG", "/guides/README"])
    it(`don't include ${path}`, async () => expect(await guidePage(path)).to.equal(null));
});

describe("resolveGuideLink", () => {
  const guides = [
    { file: "docs/keys.md", path: "/guides/keys" },
    { file: "docs/decisions/README.md", path: "/guides/decisions" },
    { file: "CHANGELOG.md", path: "/changelog" },
  ];
  for (const [from, target, path] of [
    ["docs/limits.md", "keys.md", "/guides/keys"],
    ["docs/limits.md", "keys.md#rotate-a-key", "/guides/keys#rotate-a-key"],
    ["docs/decisions/a.md", "../keys.md", "/guides/keys"],
    ["docs/limits.md", "decisions/README.md", "/guides/decisions"],
    ["docs/limits.md", "../CHANGELOG.md", "/changelog"],
    ["CHANGELOG.md", "docs/keys.md", "/guides/keys"],
    ["docs/limits.md", "../README.md", "/"],
    ["docs/limits.md", "../services/portal/src/app.ts", null],
    ["docs/limits.md", "../../../etc/passwd", null],
  ] as const)
    it(`resolves ${target} in ${from} to ${path}`, () => expect(resolveGuideLink(guides, from, target)).to.equal(path));
});
