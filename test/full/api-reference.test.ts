import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "chai";
import { expectAccessible, expectNoSidewaysScroll } from "../harness/browser/accessibility.ts";
import { tabTo } from "../harness/browser/keyboard.ts";
import { saveScreenshot } from "../harness/browser/screenshot.ts";
import { inBrowser, type Site } from "../harness/browser/site.ts";
import { visit } from "../harness/browser/visit.ts";

const run = promisify(execFile);

inBrowser("the API reference in a browser", (site) => {
  for (const [width, theme] of [
    ["phone", "dark"],
    ["desktop", "light"],
  ] as const)
    it(`calls the API with a key, and is accessible with everything open: ${width}, ${theme}`, () =>
      visit({ origins: [site().docsUrl, site().apiUrl], width, theme }, async (page) => {
        await page.goto(`${site().docsUrl}/reference`);
        const request = page.locator("#reference");
        // The example is filled in, and its response is shown.
        await request.getByText('"United Kingdom"').waitFor();
        const { key } = await site().issueKey();
        await page.getByLabel("Your key").fill(key);
        await request.getByRole("button", { name: "Send request" }).click();
        await request.getByText("X-RateLimit-Limit").waitFor();
        expect(await page.locator("#reference-status").textContent()).to.match(/^200 Response in \d+ ms/);
        expect(await page.locator("#reference-url").textContent()).to.not.include(key);
        const samples = request.locator(".tabs pre");
        expect(await samples.nth(1).textContent()).to.include(key);
        await page.getByLabel("fields", { exact: true }).fill("city,it's");
        expect(await samples.nth(0).textContent()).to.include("/v1/geo?fields=city,it%27s'");
        expect(await samples.nth(1).textContent()).to.include(`/v1/geo?key=${key}&fields=city,it%27s"`);
        const { stdout } = await run("sh", ["-c", (await samples.nth(0).textContent()) ?? ""]);
        expect(JSON.parse(stdout)).to.deep.equal({ city: "Rainhaven" });
        await page.getByLabel("fields", { exact: true }).fill("");
        expect(await samples.nth(0).textContent()).to.include("/v1/geo'");
        for (const status of ["401", "403", "404", "429", "500", "200"]) {
          await page.getByRole("tab", { name: status }).click();
          for (const summary of await page.locator("summary:visible").all()) await summary.click();
          await expectNoSidewaysScroll(page);
        }
        await expectAccessible(page);
        await saveScreenshot(page, `reference-open-${width}-${theme}`);
        expect(await page.getByLabel(/key/i).count()).to.equal(1);
        expect(calls(site())).to.deep.equal([
          `GET /v1/geo?fields=country,countryName&key=${key}`,
          // As curl sends it.
          "GET /v1/geo?fields=city,it's",
        ]);
      }));

  it("shows an error with a link to its page, using the keyboard only", () =>
    visit({ origins: [site().docsUrl, site().apiUrl] }, async (page) => {
      await page.goto(`${site().docsUrl}/reference`);
      await tabTo(page, "Your key");
      await page.keyboard.type("geo_pk_&fields=");
      await tabTo(page, "fields");
      await page.keyboard.press("Control+a");
      await page.keyboard.press("Delete");
      await tabTo(page, "Send request");
      await page.keyboard.press("Enter");
      await page.getByText('"malformed_key"', { exact: true }).first().waitFor();
      expect(await page.locator("#reference-status").textContent()).to.match(/^401 Response/);
      await tabTo(page, "How to fix it");
      expect(await page.locator(":focus").getAttribute("href")).to.match(/\/errors\/malformed_key$/);
      expect(calls(site())).to.deep.equal(["GET /v1/geo?key=geo_pk_&fields="]);
    }));

  it("shows the responses of each status in tabs, by keyboard, and keeps only the chosen language", () =>
    visit({ origins: [site().docsUrl, site().apiUrl] }, async (page) => {
      await page.goto(`${site().docsUrl}/reference`);
      await page.getByRole("tab", { name: "Go", exact: true }).click();
      await page.getByRole("tab", { name: "200" }).focus();
      await page.keyboard.press("ArrowLeft");
      const panel = page.getByRole("tabpanel", { name: "500" });
      await panel.getByText('"internal_error"').waitFor();
      expect(await page.getByRole("tabpanel", { name: "200" }).count()).to.equal(0);
      await page.reload();
      await page.getByRole("tab", { name: "Go", exact: true, selected: true }).waitFor();
      await page.getByRole("tab", { name: "200", selected: true }).waitFor();
    }));

  it("keeps the response in view while its fields, headers, limits and errors are read", () =>
    visit({ origins: [site().docsUrl, site().apiUrl] }, async (page) => {
      await page.goto(`${site().docsUrl}/reference`);
      const tabs = page.getByRole("tablist", { name: "Status of the response" });
      const tops: number[] = [];
      for (const section of ["#record", "#headers", "#limits"]) {
        await page.goto(`${site().docsUrl}/reference${section}`);
        tops.push((await tabs.boundingBox())?.y ?? -1);
      }
      for (const top of tops) expect(top, tops.join(", ")).to.be.within(0, 300);
      const contents = page.getByRole("navigation", { name: "On this page" });
      await contents.getByRole("link", { name: "Try it" }).click();
      await page.getByLabel("Your key").waitFor();
      expect(await page.evaluate("document.querySelector('#try').getBoundingClientRect().top")).to.be.within(0, 300);
    }));

  it("says so if the API can't be reached", () =>
    visit({ origins: [site().docsUrl, site().apiUrl] }, async (page) => {
      await page.route("**/v1/geo*", (route) => route.abort());
      await page.goto(`${site().docsUrl}/reference`);
      await page.getByRole("button", { name: "Send request" }).click();
      await page.getByText("The API is unreachable").waitFor();
      expect(await page.locator("#reference-body pre").count()).to.equal(0);
    }));

  it("can be read without scripts, and says that sending needs them", () =>
    visit({ origins: [site().docsUrl], scripts: false }, async (page) => {
      await page.goto(`${site().docsUrl}/reference`);
      await page.locator("noscript p").waitFor();
      expect(await page.getByRole("button", { name: "Send request" }).count()).to.equal(0);
      for (const heading of ["Request", "Authentication", "The record", "Headers", "Limits", "Errors", "429"])
        await page.getByRole("heading", { name: heading, exact: true }).waitFor();
      await page.getByText("Monthly quota exceeded").click();
      await page.getByText('"quota_exceeded"', { exact: true }).waitFor();
    }));
});

/** The requests to the API so far, with their addresses decoded. */
function calls(site: Site): string[] {
  const sent = site.requests().filter(({ url }) => url.startsWith("/v1/geo"));
  return sent.map(({ method, url }) => `${method} ${decodeURIComponent(url)}`);
}
