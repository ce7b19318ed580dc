import { OIDC_CALLBACK_PATH } from "@geolookup/portal/console/oidc.ts";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { CLIENT, openIssuer } from "../../services/portal/src/testing/oidc-issuer.ts";
import { expectAccessible, expectNoSidewaysScroll } from "../harness/browser/accessibility.ts";
import { saveScreenshot } from "../harness/browser/screenshot.ts";
import { inBrowserWith } from "../harness/browser/site.ts";
import { type VisitOptions, visit } from "../harness/browser/visit.ts";
import { consoleBrowser } from "../harness/console/console-suite.ts";

const PROXY = { OPERATOR_HEADER: "X-Forwarded-Email", OPERATOR_HEADER_SECRET: "a-secret-of-the-proxy" };
let issuer: Awaited<ReturnType<typeof openIssuer>>;

async function settings() {
  issuer = await openIssuer();
  return {
    ...PROXY,
    OPERATOR_HEADER_FROM: "127.0.0.1",
    OIDC_ISSUER: issuer.issuer,
    OIDC_CLIENT_ID: CLIENT.clientId,
    OIDC_CLIENT_SECRET: CLIENT.clientSecret,
  };
}

inBrowserWith(settings, "signing in to the console elsewhere", (site) => {
  const OPERATOR = "anna";
  before("add an operator", async () => {
    const admin = consoleBrowser(site().deployment);
    await admin.signIn();
    await admin.submit("/console/operators", { name: OPERATOR, role: "operator", expires: "" });
  });
  after("stop the issuer", () => issuer[Symbol.asyncDispose]());

  const atSignIn = (options: Pick<VisitOptions, "width" | "theme">, use: (page: Page) => Promise<void>) =>
    // The pages of oidc-provider load a font.
    visit({ origins: [site().docsUrl, issuer.issuer, "https://fonts.googleapis.com"], ...options }, async (page) => {
      await page.goto(`${site().docsUrl}/console/keys`);
      await use(page);
    });
  const check = async (page: Page, name: string) => {
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await saveScreenshot(page, name);
  };
  const signInAs = async (page: Page, login: string) => {
    await page.getByRole("link", { name: /^Sign in with / }).click();
    await page.getByPlaceholder("Enter any login").fill(login);
    await page.getByPlaceholder("and password").fill("any");
    await page.getByRole("button", { name: "Sign-in" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
  };

  it("says that the issuer isn't responding, and leaves tokens as the way in", () =>
    atSignIn({ width: "phone", theme: "dark" }, async (page) => {
      await check(page, "sign-in-oidc-phone-dark");
      await page.getByRole("link", { name: /^Sign in with / }).click();
      expect(await page.getByRole("alert").textContent()).to.match(/^The issuer isn't responding.*check-oidc\.$/);
      await check(page, "sign-in-oidc-down-phone-dark");
      await page.getByLabel("Token", { exact: true }).fill(site().deployment.adminToken);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByRole("heading", { name: "Keys", level: 1 }).waitFor();
    }));

  describe("once it responds", () => {
    before(() => issuer.serve(`${site().docsUrl}${OIDC_CALLBACK_PATH}`, {}));

    for (const [width, theme] of [
      ["desktop", "light"],
      ["phone", "dark"],
    ] as const)
      it(`signs an operator in at the issuer, comes back, and signs out, on a ${width}`, () =>
        atSignIn({ width, theme }, async (page) => {
          await signInAs(page, OPERATOR);
          await page.getByRole("heading", { name: "Keys", level: 1 }).waitFor();
          expect(new URL(page.url()).pathname, "without the code").to.equal("/console/keys");
          expect(await page.getByText(OPERATOR, { exact: true }).count()).to.equal(1);
          await page.reload();
          await page.getByRole("heading", { name: "Keys", level: 1 }).waitFor();
          const [session, ...others] = await page.context().cookies(site().docsUrl);
          expect(session).to.include({ name: "geolookup-session", sameSite: "Strict", httpOnly: true });
          expect(others).to.deep.equal([]);
          await page.getByRole("button", { name: "Sign out" }).click();
          await page.getByLabel("Token", { exact: true }).waitFor();
          await page.goto(`${site().docsUrl}/console/keys`);
          await page.getByLabel("Token", { exact: true }).waitFor();
        }));

    it("tells an account without a role what to do", () =>
      atSignIn({ width: "phone", theme: "dark" }, async (page) => {
        await signInAs(page, "eve");
        expect(await page.getByRole("alert").textContent()).to.equal(
          "eve isn't an operator of this deployment. Ask an admin.",
        );
        await check(page, "sign-in-oidc-refused-phone-dark");
        await page.goto(`${site().docsUrl}/console/keys`);
        await page.getByLabel("Token", { exact: true }).waitFor();
      }));
  });

  it("shows operators whom a proxy signs in, and tells others that they aren't operators", () =>
    atSignIn({ width: "phone", theme: "dark" }, async (page) => {
      const by = (name: string) =>
        page.setExtraHTTPHeaders({
          [PROXY.OPERATOR_HEADER]: name,
          "X-Operator-Secret": PROXY.OPERATOR_HEADER_SECRET,
        });
      await by("eve");
      await page.reload();
      expect(await page.getByRole("alert").textContent()).to.equal(
        "eve isn't an operator of this deployment. Ask an admin.",
      );
      await check(page, "sign-in-proxy-refused-phone-dark");
      await by(OPERATOR);
      await page.goto(`${site().docsUrl}/console/keys`);
      await page.getByRole("heading", { name: "Keys", level: 1 }).waitFor();
      expect(await page.getByRole("button", { name: "Sign out" }).count()).to.equal(0);
      await check(page, "keys-by-proxy-phone-dark");
    }));
});
