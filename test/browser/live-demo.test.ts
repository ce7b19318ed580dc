import { expect } from "chai";
import { expectAccessible, expectNoSidewaysScroll } from "../harness/browser/accessibility.ts";
import { saveScreenshot } from "../harness/browser/screenshot.ts";
import { inBrowser } from "../harness/browser/site.ts";
import { visit } from "../harness/browser/visit.ts";

inBrowser("the live demo", (site) => {
  it("shows the visitor's own record, from a request without a preflight", async () => {
    const { docsUrl, apiUrl, callFrom, requests } = site();
    callFrom("44.0.91.1");
    await visit({ origins: [docsUrl, apiUrl], width: "phone", theme: "dark" }, async (page) => {
      await page.goto(docsUrl);
      await page.getByText('"44.0.91.1"').waitFor();
      await saveScreenshot(page, "start-phone-dark");
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
    });
    const calls = requests().filter(({ url }) => url.startsWith("/v1/geo"));
    expect(calls.map(({ method }) => method)).to.deep.equal(["GET"]);
  });
});
