import { expect } from "chai";
import type { Page } from "playwright-core";
import { ADDRESSES } from "../fixtures/places.ts";
import { visitConsole } from "../harness/browser/console.ts";
import { startOtherOrigin } from "../harness/browser/other-origin.ts";
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
      expect((await data.locator("tbody td").allTextContents()).map(Number).reduce((sum, each) => sum + each)).to.equal(
        5,
      );

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

  it("sorts keys, selects several, changes their plan together, undoes that, and revokes them", async () => {
    for (const label of ["together 10", "together 9"]) await site().issueKey({ label, plan: "paid" });
    await atConsole(async (page) => {
      await page.goto(`${site().docsUrl}/console/keys?search=together`);
      const labels = () => page.locator("table.keys th[scope=row] a").allTextContents();
      await page.getByRole("columnheader", { name: "Key" }).getByRole("link").click();
      await page.locator('th[aria-sort="ascending"]', { hasText: "Key" }).waitFor();
      expect(await labels()).to.deep.equal(["together 9", "together 10"]);
      const all = page.getByRole("checkbox", { name: "Select all keys on this page" });
      await page.getByRole("checkbox", { name: "Select together 9" }).check();
      await page.getByText("1 key selected").waitFor();
      expect(await page.evaluate("document.querySelector('[data-select-all]').indeterminate")).to.equal(true);
      await all.check();
      await page.getByText("2 keys selected").waitFor();

      await page.setViewportSize({ width: 360, height: 740 });
      await page.locator("table.keys thead").waitFor({ state: "hidden" });
      expect(await all.isChecked(), "the checkbox of narrow screens").to.equal(true);
      await all.uncheck();
      await page.getByText("Select keys to change them together").waitFor();
      await all.check();
      await page.getByText("2 keys selected").waitFor();

      await page.locator("form.selection select").selectOption("tiny");
      await page.getByRole("button", { name: "Change plan" }).click();
      await page.getByText("Changed the plan of 2 keys.").waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      expect(await page.getByText("from tiny to paid").count()).to.equal(2);
      await page.getByRole("link", { name: "Back to the list" }).click();
      expect(await labels(), "in the same order").to.deep.equal(["together 9", "together 10"]);
    });
    await atConsole(
      async (page) => {
        await page.goto(`${site().docsUrl}/console/keys?search=together`);
        expect(await page.getByRole("checkbox", { name: "Select all keys on this page" }).isVisible()).to.equal(false);
        expect(await page.getByRole("button", { name: "Revoke…" }).isVisible(), "without a selection").to.equal(false);
        for (const box of await page.locator("input[name=key]").all()) await box.check();
        await page.getByRole("button", { name: "Revoke…" }).click();
        await page.getByRole("heading", { level: 1, name: "Revoke 2 keys?" }).waitFor();
        await page.getByRole("button", { name: "Revoke 2 keys permanently" }).click();
        await page.getByText("Revoked 2 keys.").waitFor();
        await page.getByRole("link", { name: "Back to the list" }).click();
        expect(await page.getByRole("checkbox").count(), "of revoked keys").to.equal(0);
      },
      { scripts: false },
    );
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

  it("shows samples with the new key that work as they are", async () => {
    await using shop = await startOtherOrigin("shop.test");
    const [, server = ""] = await atConsole(
      async (page) => {
        const sample = async (kind: RegExp, label: string, fill: () => Promise<void>) => {
          await page.goto(`${site().docsUrl}/console/keys/new`);
          await page.getByRole("radio", { name: kind }).check();
          await page.getByLabel("Label").fill(label);
          await fill();
          await page.getByRole("button", { name: "Issue key" }).click();
          return (await page.locator(".code pre").nth(1).textContent()) ?? "";
        };
        const web = await sample(/^Publishable/, "sample", () =>
          page.getByLabel("Origins", { exact: true }).fill(shop.origin),
        );
        const server = await sample(/^Secret/, "sample", () => page.getByLabel("Can look up visitors").check());
        shop.serve("/sample", {
          type: "html",
          text: `<!doctype html><title>Shop</title><link rel=icon href=data:,>${web}`,
        });
        const logged = page.waitForEvent("console");
        await page.goto(`${shop.origin}/sample`);
        expect((await logged).text()).to.equal("United States");
        return [web, server];
      },
      { origins: [site().docsUrl, site().apiUrl, shop.origin] },
    );
    const logged: string[] = [];
    const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
    await new AsyncFunction("visitorAddress", "console", server)(ADDRESSES.upperTesting, {
      log: (text: string) => logged.push(text),
    });
    expect(logged).to.deep.equal(["United Kingdom"]);
  });

  it("signs out all open pages", async () => {
    await atConsole(async (page) => {
      const other = await page.context().newPage();
      await other.goto(`${site().docsUrl}/console`);
      await other.getByText("Live", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByLabel("Token", { exact: true }).waitFor();
      await other.bringToFront();
      await other.getByLabel("Token", { exact: true }).waitFor();
    });
  });
});
