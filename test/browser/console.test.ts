import { expect } from "chai";
import type { Page } from "playwright-core";
import { visitConsole } from "../harness/browser/console.ts";
import { inBrowser } from "../harness/browser/site.ts";
import type { VisitOptions } from "../harness/browser/visit.ts";
import { waitFor } from "../harness/wait-for.ts";

/** Counts are published every second and shown a second later. */
const SHOWN_MS = 30_000;

inBrowser("the console in a browser", (site) => {
  const atConsole = <Result>(use: (page: Page) => Promise<Result>, options: Partial<VisitOptions> = {}) =>
    visitConsole(site(), use, options);

  async function issue(page: Page, label: string): Promise<string> {
    await page.getByRole("link", { name: "Issue a key" }).first().click();
    await page.getByLabel("Label").fill(label);
    await page.getByRole("button", { name: "Issue key" }).click();
    const key = (await page.locator("#issued-key").textContent()) ?? "";
    expect(key).to.match(/^geo_pk_\w{40,}$/);
    await page.getByRole("button", { name: "Copy" }).first().waitFor();
    return key;
  }

  const lookUp = (key: string, origin: string) =>
    site().deployment.send({ path: `/v1/geo?key=${key}`, headers: { Origin: origin } });

  it("issues a key, shows its usage live, restricts its origins, and revokes it within a second", async () => {
    await atConsole(async (page) => {
      const key = await issue(page, "a shop");
      await page.getByRole("link", { name: "Usage and settings" }).click();
      await page.getByText("No requests in the last 30 days.").waitFor();
      expect((await lookUp(key, "https://shop.test")).status).to.equal(200);
      const total = page.locator("#month-total");
      await waitFor("the request to be shown", async () => (await total.textContent()) === "1", SHOWN_MS);
      const address = page.url();
      for (let count = 0; count < 2; count += 1) expect((await lookUp(key, "https://shop.test")).status).to.equal(200);
      await waitFor("two more to be shown", async () => (await total.textContent()) === "3", SHOWN_MS);
      expect(page.url(), "the page was not reloaded").to.equal(address);
      expect(await page.locator("figure.chart .max").textContent()).to.equal("max: 3");
      const chart = page.locator("figure.chart").first();
      await page.getByRole("slider", { name: "Requests by day (UTC)" }).focus();
      expect(await chart.locator(".value").textContent()).to.match(/: 3 so far$/);
      await page.keyboard.press("Home");
      expect(await chart.locator(".value").textContent()).to.match(/^\d{4}-\d\d-\d\d: 0$/);

      await page.getByRole("link", { name: "48 hours" }).click();
      await page.getByRole("slider", { name: "Requests by hour (UTC)" }).waitFor();
      expect(await page.getByRole("link", { name: "48 hours" }).getAttribute("aria-current")).to.equal("true");

      await page.getByLabel("Origins").fill("https://shop.test\nhttps://*.shop.test");
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByText("Origins changed").waitFor();
      const refused = await lookUp(key, "https://evil.test");
      expect([refused.status, refused.json.error.code]).to.deep.equal([403, "origin_not_allowed"]);
      expect((await lookUp(key, "https://shop.test")).status).to.equal(200);
      await page.getByRole("link", { name: "48 hours" }).click();
      const data = page.locator("figure.chart table");
      await page.getByText("Data table").click();
      await data.getByRole("columnheader", { name: "origin_not_allowed" }).waitFor();
      const sumOfAll = async () =>
        (await data.locator("tbody td").allTextContents()).reduce((sum, each) => sum + Number(each), 0);
      await waitFor("four requests and a refusal", async () => (await sumOfAll()) === 5, SHOWN_MS);

      await page.getByRole("link", { name: "Revoke key" }).click();
      await page.getByLabel("Reason").fill("the shop has closed");
      await page.getByRole("button", { name: "Revoke key permanently" }).click();
      await page.getByText("This key is revoked and can't be changed").waitFor();
      const revoked = await lookUp(key, "https://shop.test");
      expect([revoked.status, revoked.json.error.code]).to.deep.equal([401, "revoked_key"]);
      await page.getByRole("link", { name: "Keys" }).first().click();
      await page.getByLabel("Search").fill("a shop");
      await page.getByRole("button", { name: "Search" }).click();
      await page.getByRole("row", { name: /a shop.*revoked/ }).waitFor();
    });
  });

  it("confirms a change and undoes it, and has keyboard shortcuts that are ignored while typing", async () => {
    const { keyId } = await site().issueKey({ label: "before" });
    await atConsole(async (page) => {
      await page.goto(`${site().docsUrl}/console/keys/${keyId}`);
      await page.getByLabel("Label", { exact: true }).fill("after");
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByText("Label saved.").waitFor();
      await page.getByRole("heading", { name: "after", level: 1 }).waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByRole("heading", { name: "before", level: 1 }).waitFor();

      const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
      await page.getByLabel("Label", { exact: true }).focus();
      await page.keyboard.type("?gd");
      expect(await page.getByLabel("Label", { exact: true }).inputValue()).to.include("?gd");
      expect(await help.isVisible()).to.equal(false);
      await page.getByRole("main").focus();
      await page.keyboard.press("?");
      await help.waitFor();
      await page.keyboard.press("Escape");
      expect(await help.isVisible()).to.equal(false);
      await page.keyboard.type("gk");
      await page.getByRole("heading", { name: "Keys", level: 1 }).waitFor();
      await page.keyboard.press("/");
      expect(await page.locator(":focus").getAttribute("name")).to.equal("search");
    });
  });

  it("works without scripts", async () => {
    await atConsole(
      async (page) => {
        await page.getByRole("link", { name: "Issue a key" }).first().click();
        await page.getByLabel("Label").fill("without scripts");
        const canLookUp = page.getByLabel("Can look up visitors");
        expect(await canLookUp.isVisible(), "for a publishable key").to.equal(false);
        await page.getByRole("radio", { name: /^Secret/ }).check();
        await canLookUp.check();
        await page.getByRole("button", { name: "Issue key" }).click();
        await page.getByRole("link", { name: "Usage and settings" }).click();
        await page.getByRole("heading", { name: "without scripts" }).waitFor();
        await page.getByText("can look up visitors").first().waitFor();
        await page.getByRole("button", { name: "Sign out" }).click();
        await page.getByLabel("Token", { exact: true }).waitFor();
      },
      { scripts: false },
    );
  });
});
