import { expect } from "chai";
import type { Page } from "playwright-core";
import { ADDRESSES } from "../fixtures/places.ts";
import { visitConsole } from "../harness/browser/console.ts";
import { startOtherOrigin } from "../harness/browser/other-origin.ts";
import { inBrowser } from "../harness/browser/site.ts";
import type { VisitOptions } from "../harness/browser/visit.ts";

inBrowser("the console in a browser: several keys, samples, and signing out", (site) => {
  const atConsole = <Result>(use: (page: Page) => Promise<Result>, options: Partial<VisitOptions> = {}) =>
    visitConsole(site(), use, options);

  it("sorts keys, selects several, changes their plan together, undoes that, and revokes them", async () => {
    for (const label of ["together 10", "together 9"]) await site().issueKey({ label, plan: "paid" });
    await atConsole(async (page) => {
      await page.goto(`${site().docsUrl}/console/keys?search=together`);
      const labels = () => page.locator("table.keys th[scope=row] a").allTextContents();
      await page.getByLabel("Sort").selectOption("Label, A to Z");
      await page.getByRole("button", { name: "Search", exact: true }).click();
      await page.waitForURL(/sort=label/);
      expect(await labels()).to.deep.equal(["together 9", "together 10"]);
      const all = page.getByRole("checkbox", { name: "Select all keys on this page" });
      await page.getByRole("checkbox", { name: "Select together 9" }).check();
      await page.getByText("1 key selected").waitFor();
      expect(await page.evaluate("document.querySelector('[data-select-all]').indeterminate")).to.equal(true);
      await all.check();
      await page.getByText("2 keys selected").waitFor();

      await page.setViewportSize({ width: 360, height: 740 });
      await page.locator("table.keys thead").waitFor({ state: "hidden" });
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
