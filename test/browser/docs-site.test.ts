import { expect } from "chai";
import { expectAccessible, expectNoSidewaysScroll } from "../harness/browser/accessibility.ts";
import { inBrowser } from "../harness/browser/site.ts";
import { visit } from "../harness/browser/visit.ts";

const PLACES = [
  ["Tokyo", "Tokyo, Japan"],
  ["São Paulo", "São Paulo, Brazil"],
  ["Unknown location", "We couldn't locate this address"],
  ["London", "London, England, United Kingdom"],
] as const;

/** The tabs whose code locates the visitors of a back end. */
const BACK_ENDS = ["Node.js", "Python", "Go", "PHP", "Ruby"];

inBrowser("the docs site in a browser", (site) => {
  const origins = () => [site().docsUrl, site().apiUrl];

  it("works without scripts, except for the visitor's own record: samples, code in all languages, navigation", () =>
    visit({ origins: origins(), scripts: false, width: "phone" }, async (page) => {
      await page.goto(site().docsUrl);
      await page.getByText("Turn on JavaScript to see your own record").waitFor();
      for (const [place, name] of PLACES) {
        await page.getByText(place, { exact: true }).click();
        expect(await page.locator(".demo figcaption").innerText()).to.equal(name);
        expect(await page.locator(".world .pin:visible").count()).to.equal(place === "Unknown location" ? 0 : 1);
      }
      for (const language of ["curl", "Browser", ...BACK_ENDS])
        expect(await page.getByRole("heading", { name: language, exact: true }).isVisible()).to.equal(true);
      await page.getByRole("button", { name: "Menu" }).click();
      await page.getByRole("link", { name: "Errors", exact: true }).click();
      await page.getByRole("heading", { level: 1, name: "Errors" }).waitFor();
      await expectNoSidewaysScroll(page);
    }));

  it("fills the reader's own key into code on every page, and never sends it", () =>
    visit({ origins: origins() }, async (page) => {
      const key = `geo_pk_${"x".repeat(30)}_${"y".repeat(22)}`;
      await page.goto(site().docsUrl);
      const field = page.getByLabel("Your key");
      await field.fill("$(reboot)");
      await page.getByText("That isn't a complete key").waitFor();
      expect(await field.getAttribute("aria-invalid")).to.equal("true");
      expect(await page.locator(".own-key").first().textContent()).to.equal("YOUR_KEY");
      await field.fill(key);
      expect(await field.getAttribute("aria-invalid")).to.equal(null);
      await page.getByText("This is a publishable key, so it isn't filled into back-end code").waitFor();
      await page.getByText("only in pages of those origins, not in curl and not on this page").waitFor();
      const refused = page.locator(".code", { hasText: "Your key is a publishable key" });
      expect(await refused.count()).to.equal(BACK_ENDS.length);
      for (const text of await refused.locator("pre").allTextContents())
        expect(text).to.include("GEO_KEY=geo_sk_…").and.to.not.include(key);
      await page.getByRole("tab", { name: "PHP", exact: true }).click();
      expect(await refused.locator("p.secret:visible").count()).to.equal(1);
      await page.goto(`${site().docsUrl}/reference`);
      expect(await field.inputValue()).to.equal(key);
      await page.locator("pre", { hasText: `?key=${key}` }).waitFor({ state: "attached" });
      await page.goto(`${site().docsUrl}/front-end`);
      for (const use of [`key: "${key}",`, `"key=${key}&fields`])
        await page.locator("pre", { hasText: use }).first().waitFor({ state: "attached" });
      expect(await page.getByText('geo_pk_…"').count()).to.equal(0);
      await page.goto(`${site().docsUrl}/back-end`);
      expect(await field.inputValue()).to.equal(key);
      const backEnd = page.locator(".code", { hasText: "Authorization: Bearer geo_sk_…" });
      await backEnd.getByText("Your key is a publishable key").waitFor();
      expect(await page.getByText(key).count(), "in code for back ends").to.equal(0);
      expect(JSON.stringify(site().requests())).to.not.include(key);
    }));

  it("only fills a secret key into server code, and says why in code for pages", () =>
    visit({ origins: origins() }, async (page) => {
      const key = `geo_sk_${"x".repeat(30)}_${"y".repeat(22)}`;
      await page.goto(site().docsUrl);
      const refused = page.locator(".code", { hasText: "Your key is a secret key" });
      expect(await refused.locator("p.publishable").first().isVisible()).to.equal(false);
      await page.getByLabel("Your key").fill(key);
      await page.getByText("This is a secret key, so it's only filled into server code").waitFor();
      expect(await refused.allTextContents(), "the browser's tab").to.have.length(1);
      for (const text of await refused.locator("pre").allTextContents())
        expect(text).to.include("YOUR_KEY").and.to.not.include(key);
      expect(await page.locator(".code", { hasText: key }).count(), "curl, back ends").to.equal(1 + BACK_ENDS.length);
      await expectAccessible(page);
      const stored = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
      expect(stored).to.not.include(key);
      await page.goto(`${site().docsUrl}/back-end`);
      expect(await page.locator(".code", { hasText: key }).count(), "forgotten").to.equal(0);
      await page.getByLabel("Your key").fill(key);
      const curl = page.locator("pre", { hasText: "X-Forwarded-For: 81.2.69.142' 'http" });
      expect(await curl.textContent()).to.include(`Authorization: Bearer ${key}`);
      for (const text of await page.locator("pre", { hasText: "GEO_KEY=" }).allTextContents())
        expect(text).to.include(`GEO_KEY=${key}`);
      await expectAccessible(page);
      await page.goto(`${site().docsUrl}/front-end`);
      await page.getByLabel("Your key").fill(key);
      await page.getByText("Your key is a secret key").first().waitFor();
      expect(await page.locator(".code", { hasText: key }).count(), "code for pages").to.equal(0);
    }));
});
