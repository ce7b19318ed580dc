// Measures how fast the main pages load in headless Chromium, with a cold cache: `make bench-pages`.
import { cpus, loadavg } from "node:os";
import type { BrowserContextOptions, Page } from "playwright-core";
import { spreadOf } from "../../tools/bench/statistics.ts";
import { sharedChromium } from "../harness/browser/chromium.ts";
import { visitConsole } from "../harness/browser/console.ts";
import { inBrowser, type Site } from "../harness/browser/site.ts";

const RUNS = 7;
const TIMEOUT_MS = 600_000;
const KEYS = 60;
const WINDOW = { width: 1_280, height: 800 };

/** The main pages; `ready` is what makes a page usable beyond its `load` event. */
const PAGES: readonly { name: string; path: string; ready?: string; isConsole?: true }[] = [
  { name: "Landing", path: "/", ready: "#demo-own:not([hidden])" },
  { name: "Guide", path: "/front-end" },
  { name: "API reference", path: "/reference", ready: "#reference [type=submit]:not([hidden])" },
  { name: "Error page", path: "/errors/rate_limited" },
  { name: "Console: overview", path: "/console", isConsole: true },
  { name: "Console: keys", path: "/console/keys", isConsole: true },
];

interface Speed {
  lcpMs: number;
  readyMs: number;
  longTaskMs: number;
  longTasks: number;
  shift: number;
  bytes: number;
}

/** Runs before the page's own scripts. */
const OBSERVE = `{
  const seen = globalThis.speed = { lcpMs: 0, readyMs: 0, longTaskMs: 0, longTasks: 0, shift: 0 };
  const observe = (type, add) => new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type, buffered: true });
  observe("largest-contentful-paint", ({ startTime }) => { seen.lcpMs = startTime; });
  observe("longtask", ({ duration }) => { seen.longTaskMs += duration; seen.longTasks += 1; });
  observe("layout-shift", ({ value, hadRecentInput }) => { if (!hadRecentInput) seen.shift += value; });
}`;

/** Runs when the page is ready. The browser may report the largest paint after the `load` event. */
const READ = `new Promise((resolve) => {
  const readyMs = performance.now();
  const read = () => {
    if (globalThis.speed.lcpMs === 0) return requestAnimationFrame(read);
    const bytes = performance.getEntries().reduce((sum, { transferSize = 0 }) => sum + transferSize, 0);
    resolve({ ...globalThis.speed, readyMs, bytes });
  };
  requestAnimationFrame(() => requestAnimationFrame(read));
})`;

inBrowser("the speed of the main pages", (site) => {
  it("is measured", async function () {
    this.timeout(TIMEOUT_MS);
    for (let count = 0; count < KEYS; count += 1) await site().issueKey({ label: `Shop ${count}` });
    const signedIn = await visitConsole(site(), (page) => page.context().storageState());
    const rows: string[] = [];
    const loadBefore = loadavg()[0] ?? 0;
    for (const { name, path, ready, isConsole } of PAGES) {
      const options = { viewport: WINDOW, ...(isConsole ? { storageState: signedIn } : {}) };
      const speeds: Speed[] = [];
      // The first visit is for the server, which reads files and compiles code on first use.
      for (let run = 0; run <= RUNS; run += 1) {
        const speed = await measure(site(), options, path, ready);
        if (run > 0) speeds.push(speed);
      }
      rows.push(row(name, speeds));
    }
    const load = Math.max(loadBefore, loadavg()[0] ?? 0);
    process.stdout.write(`${[...HEAD, ...rows].join("\n")}

Medians of ${RUNS} visits, each with a cold cache. ${cpus().length} CPUs, load average up to ${load.toFixed(1)}.
`);
  });
});

async function measure(
  { docsUrl }: Site,
  options: BrowserContextOptions,
  path: string,
  ready: string | undefined,
): Promise<Speed> {
  const context = await (await sharedChromium()).newContext(options);
  try {
    const page: Page = await context.newPage();
    await page.addInitScript(OBSERVE);
    // Live pages never stop loading.
    await page.goto(docsUrl + path, { waitUntil: "load" });
    if (ready) await page.locator(ready).waitFor();
    return await page.evaluate<Speed>(READ);
  } finally {
    await context.close();
  }
}

const HEAD = [
  "| Page | LCP ms | Usable ms | Long tasks | Long task ms | CLS | kB, compressed |",
  "|---|---|---|---|---|---|---|",
];

function row(name: string, speeds: readonly Speed[]): string {
  const of = (part: keyof Speed, digits = 0) => spreadOf(speeds.map((speed) => speed[part])).median.toFixed(digits);
  const kilobytes = (spreadOf(speeds.map(({ bytes }) => bytes)).median / 1_000).toFixed(0);
  return `| ${name} | ${of("lcpMs")} | ${of("readyMs")} | ${of("longTasks")} | ${of("longTaskMs")} | ${of("shift", 3)} | ${kilobytes} |`;
}
