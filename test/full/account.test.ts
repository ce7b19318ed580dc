import { expect } from "chai";
import { expectAccessible, expectNoSidewaysScroll } from "../harness/browser/accessibility.ts";
import { saveScreenshot } from "../harness/browser/screenshot.ts";
import { inBrowser } from "../harness/browser/site.ts";
import { visit } from "../harness/browser/visit.ts";

inBrowser("the page where customers see their usage", (site) => {
  for (const [width, theme, scripts] of [
    ["phone", "dark", true],
    ["phone", "light", false],
    ["desktop", "light", true],
    ["desktop", "dark", false],
  ] as const)
    it(`shows and rotates a key on a ${width} in ${theme} colors, with${scripts ? "" : "out"} scripts`, () => {
      const { docsUrl, deployment } = site();
      return visit({ origins: [docsUrl], width, theme, scripts }, async (page, context) => {
        const origins = ["https://shop.example.com", "https://a-long-name-of-a-shop.example.com"];
        const { key } = await deployment.issueKey({ label: "Shop", origins });
        await fetch(`${deployment.url}/v1/geo`, { headers: { "x-api-key": key, origin: "https://other.example.com" } });
        const check = async (name: string) => {
          await expectNoSidewaysScroll(page);
          if (scripts) await expectAccessible(page);
          await saveScreenshot(page, `account-${name}-${width}-${theme}`);
        };
        await page.goto(`${docsUrl}/account`);
        await check("form");
        await page.getByLabel("Secret key").fill("wrong");
        await page.getByRole("button", { name: "Show usage" }).click();
        expect(await page.getByRole("alert").textContent()).to.include("isn't a secret key");
        await check("refused");
        await page.getByLabel("Secret key").fill(key);
        await page.getByRole("button", { name: "Show usage" }).click();
        expect(await page.getByRole("cell", { name: "active" }).count()).to.equal(1);
        expect(page.url()).to.equal(`${docsUrl}/account`);
        await check("usage");
        await page.getByLabel("Secret key").fill(key);
        await page.getByLabel("Both keys work for").selectOption("7 days");
        await page.getByRole("button", { name: "Rotate" }).click();
        expect(await page.locator("pre").textContent()).to.match(/^geo_sk_\w+$/);
        await check("rotated");
        expect(await context.cookies()).to.deep.equal([]);
        if (scripts)
          expect(await page.evaluate("localStorage.length + sessionStorage.length"), "what is stored").to.equal(0);
      });
    });
});
