import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { CLIENT, openIssuer } from "../testing/oidc-issuer.ts";
import { checkOidc } from "./check-oidc.ts";
import { OIDC_CALLBACK_PATH, type OidcSettings } from "./oidc.ts";

const DOCS_URL = "http://docs.test";

describe("checking the settings of OpenID Connect", () => {
  let issuer: Awaited<ReturnType<typeof openIssuer>>;
  beforeEach(async () => {
    issuer = await openIssuer();
    issuer.serve(DOCS_URL + OIDC_CALLBACK_PATH, {});
  });
  afterEach(() => issuer[Symbol.asyncDispose]());
  const findings = async (change: Partial<OidcSettings> = {}, docsUrl = DOCS_URL) => {
    const roles = { claim: "groups", roles: [["a", "admin"]] } as const;
    const settings = { issuer: issuer.issuer, ...CLIENT, roles, ...change };
    return Array.fromAsync(checkOidc(settings, docsUrl));
  };

  it("finds nothing wrong with the right ones", async () => {
    const found = await findings();
    expect(found.map(({ state }) => state)).to.deep.equal(["ok", "ok", "ok", "ok", "ok", "ok"]);
    expect(found.map(({ text }) => text).join(" ")).to.include("knows the client geolookup and its secret");
  });

  for (const [what, change, docsUrl, message] of [
    [
      "an issuer that can't be reached",
      { issuer: "http://127.0.0.1:1" },
      DOCS_URL,
      /can't be reached: .+\. Check OIDC_ISSUER/,
    ],
    ["a path without metadata", { at: "/realms/x" }, DOCS_URL, /status 404.*before \/\.well-known/],
    [
      "an issuer with another name",
      { host: "localhost" },
      DOCS_URL,
      /calls itself http:\/\/127\.0\.0\.1:\d+\. Set OIDC_ISSUER to exactly/,
    ],
    ["an unknown client", { clientId: "another" }, DOCS_URL, /refuses the client: status 401/],
    ["a wrong secret", { clientSecret: "wrong" }, DOCS_URL, /refuses the client: status 401.*OIDC_CLIENT_SECRET/],
    ["no secret", { clientSecret: null }, DOCS_URL, /OIDC_CLIENT_SECRET, which isn't set/],
    [
      "another redirect URI",
      {},
      "http://docs2.test",
      /redirect URI for the client: http:\/\/docs2\.test\/console\/sign-in\/oidc\/callback/,
    ],
  ] as const)
    it(`finds ${what}, and says what to change`, async () => {
      const { at = "", host = "127.0.0.1", ...rest } = change as { at?: string; host?: string };
      const found = await findings({ issuer: issuer.issuer.replace("127.0.0.1", host) + at, ...rest }, docsUrl);
      const failed = found.filter(({ state }) => state === "FAIL");
      expect(failed.map(({ text }) => text).join("\n"), JSON.stringify(found)).to.match(message);
    });

  it("warns of a claim that the issuer doesn't list, and of no roles", async () => {
    const claim = await findings({ roles: { claim: "roles", roles: [["a", "admin"]] } });
    expect(claim.at(-1)).to.deep.include({ state: "warning" });
    expect(claim.at(-1)?.text).to.include("doesn't list the claim roles");
    expect((await findings({ roles: null })).at(-1)?.text).to.include("OIDC_ROLES isn't set");
  });

  it("explains an issuer's address that belongs to a web page", async () => {
    const server = createServer((_req, res) => res.end("<html>")).listen(0, "127.0.0.1");
    await once(server, "listening");
    const [first] = await findings({ issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
    server.closeAllConnections();
    server.close();
    expect(first?.text).to.include("status 200 and no metadata");
  });
});
