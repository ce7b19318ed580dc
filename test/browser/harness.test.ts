import { expect } from "chai";
import { expectAccessible, expectNoSidewaysScroll } from "../harness/browser/accessibility.ts";
import { type OtherOrigin, startOtherOrigin } from "../harness/browser/other-origin.ts";
import { inBrowser } from "../harness/browser/site.ts";
import { visit } from "../harness/browser/visit.ts";

inBrowser("the harness of the browser suites", () => {
  let shop: OtherOrigin;

  before(async () => {
    shop = await startOtherOrigin("shop.test");
  });
  after(() => shop?.[Symbol.asyncDispose]());

  const failureOf = (attempt: Promise<unknown>) =>
    attempt.then(
      () => "none",
      (error: Error) => error.message,
    );

  it("fails a visit that sends a request to another host, which never leaves this machine", async () => {
    const image = "new Image().src = 'http://elsewhere.example/pixel'";
    const script = `fetch('http://elsewhere.example/').catch((error) => error.message)`;
    let response: unknown;
    const failure = await failureOf(
      visit({ origins: [shop.origin] }, async (page) => {
        await page.goto(shop.origin);
        await page.evaluate(image);
        response = await page.evaluate(script);
      }),
    );
    expect(response).to.equal("Failed to fetch");
    expect(failure).to.include("http://elsewhere.example/pixel").and.include("http://elsewhere.example/,");
  });

  it("fails a visit with an uncaught error", async () => {
    const failure = await failureOf(
      visit({ origins: [shop.origin] }, async (page) => {
        await page.goto(shop.origin);
        const thrown = page.waitForEvent("pageerror");
        await page.evaluate("setTimeout(() => { throw new Error('uncaught') })");
        await thrown;
      }),
    );
    expect(failure).to.include("uncaught");
  });

  it("finds accessibility problems and pages that are too wide", async () => {
    const body = `<main><h1>A page</h1><img src="data:,"><p style="color: #ccc; width: 2000px">pale</p></main>`;
    shop.serve("/bad", { type: "html", text: `<!doctype html><html lang="en"><title>A page</title>${body}` });
    await visit({ origins: [shop.origin] }, async (page) => {
      await page.goto(`${shop.origin}/bad`);
      expect(await failureOf(expectAccessible(page)))
        .to.include("image-alt")
        .and.include("color-contrast");
      expect(await failureOf(expectNoSidewaysScroll(page))).to.match(/20\d\d px wide in a window of 1280 px/);
    });
  });
});
