import { expect } from "chai";
import { expectAccessible } from "../harness/browser/accessibility.ts";
import { saveScreenshot } from "../harness/browser/screenshot.ts";
import { inBrowser } from "../harness/browser/site.ts";
import { visit } from "../harness/browser/visit.ts";

inBrowser("the live demo in a browser", (site) => {
  const origins = () => [site().docsUrl, site().apiUrl];

  it("says so when the API is unreachable, and shows samples", () =>
    visit({ origins: origins() }, async (page) => {
      await page.route("**/v1/geo*", (route) => route.abort());
      await page.goto(site().docsUrl);
      await page.getByText(`${site().apiUrl} is unreachable`).waitFor();
      expect(await page.locator(".demo figcaption").innerText()).to.equal("London, England, United Kingdom");
      await page.unroute("**/v1/geo*");
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByText("Your record").waitFor();
    }));

  it("shows samples to a visitor without a location, whose own record is a key press away", () =>
    visit({ origins: origins() }, async (page) => {
      site().callFrom("127.0.0.1");
      await page.goto(site().docsUrl);
      await page
        .getByText(/^Status 200 in \d+ ms. Your address is this machine's own.* DEV_ADDRESS=81\.2\.69\.142/)
        .waitFor();
      await page.getByRole("heading", { name: "Sample: London" }).waitFor();
      await saveScreenshot(page, "start-sample-desktop-light");
      await expectAccessible(page);
      await page.getByRole("radio", { name: "London" }).focus();
      await page.keyboard.press("ArrowLeft");
      await page.getByRole("heading", { name: "Your record" }).waitFor();
      await page.getByText('"partial"').filter({ visible: true }).waitFor();
      await page.keyboard.press("ArrowRight");
      await page.getByRole("heading", { name: "Sample: London" }).waitFor();
    }));

  it("shows every header that a page can read, with its value", () =>
    visit({ origins: origins() }, async (page) => {
      await page.goto(site().docsUrl);
      const limit = page.locator("#demo-headers code").first();
      await limit.waitFor();
      expect(await limit.textContent()).to.equal("1000000");
      const terms = await page.locator("#demo-headers dt").allTextContents();
      expect(terms).to.deep.equal([
        ...["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Cache-Control"],
      ]);
    }));
});
