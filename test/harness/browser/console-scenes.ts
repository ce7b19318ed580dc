import type { Page } from "playwright-core";
import { waitFor } from "../wait-for.ts";
import { visitConsole } from "./console.ts";
import { makeDataReport, openDataPage } from "./data-page.ts";
import type { Site } from "./site.ts";
import { type VisitOptions, visit } from "./visit.ts";

const COUNTED_MS = 30_000;
const QUOTA = 5;

/**
 * Opens every page of the console in all its states: empty lists, refused forms, a new key, an exhausted quota.
 * @param look runs for each; `name` identifies it.
 */
export async function eachConsoleScene(
  site: Site,
  options: Pick<VisitOptions, "width" | "theme">,
  look: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  const console = `${site.docsUrl}/console`;
  const click = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

  await visit({ origins: [site.docsUrl], ...options }, async (page) => {
    await page.goto(console);
    await look(page, "sign-in");
    await page.getByLabel("Token", { exact: true }).fill("not the admin token");
    await click(page, "Sign in");
    await look(page, "sign-in-refused");
  });
  await visitConsole(
    site,
    async (page) => {
      await look(page, "overview");
      await page.goto(`${console}/keys`);
      await look(page, "keys");
      await page.getByLabel("Search").fill("a key that nobody has issued");
      await click(page, "Search");
      await look(page, "keys-none");
      await page.goto(`${console}/keys?sort=-label`);
      await look(page, "keys-sorted");
      await page.getByRole("checkbox", { name: "Select all" }).check();
      await look(page, "keys-selected");
      await click(page, "Change plan");
      await look(page, "keys-no-plan-chosen");
      await page.locator("form.selection select").selectOption("tiny");
      await click(page, "Change plan");
      await look(page, "keys-plan-changed");
      await click(page, "Undo");
      await page.getByRole("link", { name: "Back to the list" }).click();
      await page.getByRole("checkbox", { name: "Select all" }).check();
      await click(page, "Revoke…");
      await look(page, "keys-revoke");

      await page.goto(`${console}/keys/new`);
      await look(page, "issue");
      await page.getByLabel("Label").fill("Shop of the Example Company, checkout and returns");
      await page.getByLabel("Plan").selectOption("tiny");
      await page.getByLabel("Origins", { exact: true }).fill("https://shop.test/checkout");
      await click(page, "Issue key");
      await look(page, "issue-refused");
      await page.getByLabel("Origins", { exact: true }).fill("https://shop.test\nhttps://*.shop.test");
      await click(page, "Issue key");
      await page.getByRole("button", { name: "Copy" }).first().waitFor();
      await look(page, "issued");
      const key = (await page.locator("#issued-key").textContent()) ?? "";
      await page.getByRole("link", { name: "Usage and settings" }).click();
      await look(page, "key-unused");

      for (let count = 0; count < QUOTA; count += 1)
        await site.deployment.send({ path: `/v1/geo?key=${key}`, headers: { Origin: "https://shop.test" } });
      await waitFor(
        "the requests to be shown",
        async () => (await page.locator("#month-total").textContent()) === String(QUOTA),
        COUNTED_MS,
      );
      await look(page, "key-used-up");
      await site.deployment.send({ path: `/v1/geo?key=${key}`, headers: { Origin: "https://evil.test" } });
      for (const range of ["48 hours", "14 months"]) {
        await page.getByRole("link", { name: range }).click();
        await page.getByText("Data table").click();
        await look(page, `key-${range.replace(" ", "-")}`);
      }

      const other = await page.context().newPage();
      await other.goto(page.url());
      await other.getByLabel("Label").fill("Shop");
      await click(other, "Save changes");
      await other.getByText("Label changed").waitFor();
      await other.close();
      await page.getByLabel("Origins", { exact: true }).fill("https://shop.test");
      await click(page, "Save changes");
      await look(page, "key-changed-since");

      await page.getByLabel("Reason").fill("unpaid");
      await click(page, "Disable");
      await look(page, "key-disabled");
      await click(page, "Enable");
      await page.getByRole("link", { name: "Revoke key…" }).click();
      await look(page, "revoke");
      await page.getByLabel("Reason").fill("found in a public repository");
      await click(page, "Revoke key permanently");
      await page.getByText("This key is revoked and can't be changed").waitFor();
      await look(page, "key-revoked");
      await page.goto(`${page.url()}/revoke`);
      await look(page, "revoke-again");

      await page.goto(`${console}/keys?status=revoked`);
      await look(page, "keys-revoked");
      await eachAdminScene(page, console, look);
      await makeDataReport(site);
      await openDataPage(site, page);
      await look(page, "data");
      await page.goto(`${console}/guides/architecture`);
      await look(page, "guide");
      await page.keyboard.press("/");
      await page.getByRole("searchbox", { name: "Search the docs" }).fill("TRUST_PROXY");
      await page
        .getByRole("dialog")
        .getByRole("link", { name: /Configuration/ })
        .first()
        .waitFor();
      await look(page, "guide-search");
      await page.goto(`${console}/nowhere`);
      await look(page, "not-found");
    },
    options,
  );
}

/** Customers, a rotation, operators and the audit trail. */
async function eachAdminScene(
  page: Page,
  console: string,
  look: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  const click = (name: string) => page.getByRole("button", { name, exact: true }).click();
  await page.goto(`${console}/customers?search=nothing-like-it`);
  await look(page, "customers-none");
  await page.goto(`${console}/customers/new`);
  await page.getByLabel("ID", { exact: true }).fill("Acme");
  await page.getByLabel("Name", { exact: true }).fill("Example Company of the Northern Provinces, Ltd.");
  await page.getByLabel("Plan").selectOption("paid");
  await click("Add customer");
  await look(page, "customer-refused");
  const id = `acme-${Date.now()}`;
  await page.getByLabel("ID", { exact: true }).fill(id);
  await click("Add customer");
  await page.getByRole("link", { name: "Issue a key" }).last().click();
  await page.getByLabel("Label").fill("Acme's back end");
  await page.getByRole("radio", { name: /^Secret/ }).check();
  await click("Issue key");
  await page.goto(`${console}/customers/${id}`);
  await look(page, "customer");
  await page.goto(`${console}/customers`);
  await look(page, "customers");
  await page.goto(`${console}/customers/${id}`);
  await page.getByRole("link", { name: "Acme's back end" }).click();
  await page.getByLabel("Metadata").fill("crm=42\nteam=web");
  await page.getByLabel("Expires on").fill("2099-01-01");
  await click("Save changes");
  await click("Rotate key");
  await look(page, "rotated");
  await page.getByRole("link", { name: "Usage and settings" }).click();
  await page.locator("dl.facts a[href*='/keys/key_']").click();
  await look(page, "key-rotated");

  await page.goto(`${console}/operators`);
  await page.getByLabel("Name", { exact: true }).fill("Alice");
  await click("Add operator");
  await look(page, "operator-refused");
  const name = `alice-${Date.now()}@example.com`;
  await page.getByLabel("Name", { exact: true }).fill(name);
  await click("Add operator");
  await look(page, "operator-token");
  await page.goto(`${console}/operators`);
  await look(page, "operators");
  await page.getByRole("link", { name }).click();
  await look(page, "operator");
  await page.goto(`${console}/audit`);
  await look(page, "audit");
  await page.goto(`${console}/audit?by=nobody`);
  await look(page, "audit-none");
}
