import { expect } from "chai";
import { type ConsoleChoice, withoutTls } from "./settings.ts";

const CONSOLE: ConsoleChoice = {
  authUrl: "a:1",
  usageUrl: "u:1",
  geoUrl: null,
  signIn: { proxy: null, oidc: null },
  trustProxy: "none",
  dataCommands: null,
  adminToken: "a-token-of-some-length",
  opsTargets: null,
};

describe("withoutTls", () => {
  for (const [docsUrl, warns] of [
    ["http://docs.example.com", true],
    ["http://192.0.2.1:8080", true],
    ["http://docs.localhost.example.com", true],
    ["http://127.example.com", true],
    ["http://[2001:db8::1]:8080", true],
    ["https://docs.example.com", false],
    ["http://docs.localhost:8080", false],
    ["http://localhost", false],
    ["http://127.0.0.1:8080", false],
    ["http://[::1]:8080", false],
    [null, false],
  ] as const)
    it(`${warns ? "warns" : "doesn't warn"} at ${docsUrl}`, () => {
      const warning = withoutTls(CONSOLE, docsUrl);
      if (warns)
        expect(warning)
          .to.include(`${new URL(docsUrl).origin}/console`)
          .and.include("CONSOLE=off");
      else expect(warning).to.equal(null);
    });

  it("doesn't warn without a console", () => {
    for (const none of ["off", { missing: ["ADMIN_TOKEN"] }] as const)
      expect(withoutTls(none, "http://docs.example.com")).to.equal(null);
  });
});
