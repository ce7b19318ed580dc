// Takes the screenshots in README.md, on invented data: `make screenshots`.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { sharedChromium } from "../harness/browser/chromium.ts";
import { visitConsole } from "../harness/browser/console.ts";
import { inBrowserWith, type Site } from "../harness/browser/site.ts";
import { visit } from "../harness/browser/visit.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";

const FOLDER = "docs/images";
const MAX_BYTES = 150_000;
const WEBP_QUALITY = 0.9;
const TIMEOUT_MS = 240_000;
const CLIENTS = 16;

/** Two pixels for each, so that the text is sharp on any display. */
const WINDOW = { width: 1_120, height: 880 };
const SCALE = 2;

/** Small quotas, so that a few requests fill their bars. */
const PLANS = {
  free: { fields: "free", monthlyRequests: 200 },
  team: { fields: "paid", monthlyRequests: 1_000 },
  paid: { fields: "paid", monthlyRequests: 5_000 },
};

const KEYS = [
  {
    label: "Online shop",
    kind: "publishable",
    plan: "paid",
    origins: ["https://shop.example.com"],
    requests: 2_841,
  },
  { label: "Checkout API", kind: "secret", plan: "paid", requests: 1_356 },
  { label: "Company blog", kind: "publishable", plan: "free", origins: ["https://blog.example.com"], requests: 187 },
  { label: "Mobile backend", kind: "secret", plan: "team", requests: 642 },
  { label: "Store locator", kind: "publishable", plan: "team", origins: ["https://*.example.com"], requests: 418 },
  { label: "Staging", kind: "secret", plan: "free", requests: 23 },
  { label: "Weather widget", kind: "publishable", plan: "paid", origins: ["https://*.example.org"], requests: 4_310 },
  { label: "Old shop", kind: "publishable", plan: "free", origins: ["https://old.example.com"], requests: 0 },
] as const;

inBrowserWith({ PLANS_FILE: writePlans() }, "the README's screenshots", (site) => {
  it("the live demo", async function () {
    this.timeout(TIMEOUT_MS);
    site().callFrom("44.0.91.1");
    await visit({ origins: [site().docsUrl, site().apiUrl], window: WINDOW, scale: SCALE }, async (page) => {
      await page.goto(site().docsUrl);
      await page.getByText("Your record").waitFor();
      await save(page, "demo");
    });
  });

  it("the console", async function () {
    this.timeout(TIMEOUT_MS);
    const demoKeys: { keyId: string }[] = await site().deployment.keys("list");
    for (const { requests, ...options } of KEYS) {
      const { key, keyId } = await site().issueKey(options);
      await sendRequests(site(), key, "origins" in options ? options.origins[0].replace("*", "www") : null, requests);
      if (options.label === "Old shop") await site().deployment.keys("revoke", keyId, "--reason", "replaced");
    }
    await visitConsole(
      site(),
      async (page) => {
        await waitFor(
          "all requests to be counted",
          async () => {
            // The page after the demo keys that every deployment starts with.
            await page.goto(`${site().docsUrl}/console/keys?after=${demoKeys.at(-1)?.keyId}`);
            return (await page.locator("table.keys").textContent())?.includes("2,841");
          },
          TIMEOUT_MS,
        );
        await save(page, "console");
      },
      { window: WINDOW, scale: SCALE },
    );
  });
});

function writePlans(): string {
  const file = join(tempFolder(), "plans.json");
  writeFileSync(file, JSON.stringify(PLANS));
  return file;
}

async function sendRequests(site: Site, key: string, origin: string | null, count: number): Promise<void> {
  let left = count;
  const send = async () => {
    while (left-- > 0) {
      const response = await fetch(`${site.deployment.url}/v1/geo?key=${key}`, { headers: origin ? { origin } : {} });
      expect(response.status).to.equal(200);
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, send));
}

/** Saves the window as WebP. @throws AssertionError if it is too large for a README. */
async function save(page: Page, name: string): Promise<void> {
  const image = await toWebp(await page.screenshot());
  expect(image.length, `bytes of ${name}.webp`).to.be.below(MAX_BYTES);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.webp`), image);
}

/** Runs in the browser, which can encode WebP. */
const CONVERT = `async (source) => {
  const bitmap = await createImageBitmap(await (await fetch(source)).blob());
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext("2d").drawImage(bitmap, 0, 0);
  const blob = await canvas.convertToBlob({ type: "image/webp", quality: ${WEBP_QUALITY} });
  let text = "";
  for (const byte of new Uint8Array(await blob.arrayBuffer())) text += String.fromCharCode(byte);
  return btoa(text);
}`;

async function toWebp(png: Buffer): Promise<Buffer> {
  const page = await (await sharedChromium()).newPage();
  try {
    const source = `data:image/png;base64,${png.toString("base64")}`;
    return Buffer.from(await page.evaluate<string>(`(${CONVERT})("${source}")`), "base64");
  } finally {
    await page.close();
  }
}
