// Draws the Mermaid diagrams in docs/*.md for the docs site: `make diagrams`.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { diagramName } from "@geolookup/portal/guides/diagrams.ts";
import { expect } from "chai";
import { sharedChromium } from "../harness/browser/chromium.ts";
import { tempFolder } from "../harness/temp-folder.ts";

/** Fetched when it's needed: as a dependency it would bring more packages than all others together. */
const MERMAID = "mermaid@11.17.2";
const FOLDER = "docs/images/diagrams";
const TIMEOUT_MS = 180_000;
const FETCH_TIMEOUT_MS = 120_000;
const SETTINGS = {
  startOnLoad: false,
  securityLevel: "strict",
  theme: "neutral",
  themeVariables: { noteBkgColor: "#f4f4f4", noteTextColor: "#222", noteBorderColor: "#bbb" },
  flowchart: { htmlLabels: false },
  htmlLabels: false,
  deterministicIds: true,
  fontFamily: "system-ui, sans-serif",
};

describe("the diagrams of the guides", () => {
  it("are drawn", async function () {
    this.timeout(TIMEOUT_MS);
    const library = fetchMermaid();
    const page = await (await sharedChromium()).newPage();
    rmSync(FOLDER, { recursive: true, force: true });
    mkdirSync(FOLDER, { recursive: true });
    try {
      for (const source of findDiagrams()) {
        await page.setContent("<!doctype html><html lang=en><title>A diagram</title><body></body>");
        await page.addScriptTag({ path: library });
        const draw = `mermaid.initialize(${JSON.stringify(SETTINGS)}), mermaid.render("diagram", ${JSON.stringify(source)})`;
        const { svg } = await page.evaluate<{ svg: string }>(`(${draw})`);
        expect(svg)
          .to.match(/^<svg /)
          .and.not.include("<foreignObject");
        writeFileSync(join(FOLDER, diagramName(source)), `${withSize(svg)}\n`);
      }
    } finally {
      await page.close();
    }
  });
});

function findDiagrams(): string[] {
  const files = ["docs", "docs/decisions"].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".md"))
      .map((name) => join(folder, name)),
  );
  return files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/^```mermaid\n(.*?)^```/gms)].map(([, source = ""]) => source),
  );
}

/** An image needs width and height, which Mermaid only sets as a style. */
function withSize(svg: string): string {
  const [, width, height] = /viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"/.exec(svg) ?? [];
  return svg.replace('width="100%"', `width="${Math.ceil(Number(width))}" height="${Math.ceil(Number(height))}"`);
}

/** @returns the path of the library, as one script. */
function fetchMermaid(): string {
  const folder = tempFolder();
  const options = { cwd: folder, timeout: FETCH_TIMEOUT_MS, encoding: "utf8" } as const;
  const file = execFileSync("npm", ["pack", MERMAID, "--silent"], options).trim();
  execFileSync("tar", ["xzf", file, "package/dist/mermaid.min.js"], options);
  return join(folder, "package/dist/mermaid.min.js");
}
