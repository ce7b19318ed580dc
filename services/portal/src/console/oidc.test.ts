import { createSecretKey } from "node:crypto";
import { expect } from "chai";
import { openConsoleWithAuth } from "../testing/console-with-auth.ts";
import { CLIENT, OTHER_KEY, openIssuer, signInAtIssuer } from "../testing/oidc-issuer.ts";
import { OidcError, type RoleMapping, userOf } from "./oidc.ts";

const ROLES: RoleMapping = {
  claim: "groups",
  roles: [
    ["geo-staff", "operator"],
    ["geo-admins", "admin"],
  ],
};

describe("the user of an ID token", () => {
  const anyone: RoleMapping = {
    claim: "groups",
    roles: [
      ["*", "viewer"],
      ["staff", "operator"],
    ],
  };
  for (const [claims, mapping, expected] of [
    [{ sub: "u1", email: "Eve@Example.com", email_verified: true }, null, ["eve@example.com", null]],
    [{ sub: "u1", email: "anna@example.com" }, null, ["u1", null]],
    [{ sub: "u1", email: "admin@example.com", email_verified: false }, null, ["u1", null]],
    // As text, as some issuers write it.
    [{ sub: "u1", email: "anna@example.com", email_verified: "false" }, null, ["u1", null]],
    [{ sub: "u1", email: "eve@example.com", email_verified: "true" }, null, ["eve@example.com", null]],
    [{ sub: "u1", email: "anna@example.com", email_verified: null }, null, ["u1", null]],
    // Users choose these themselves.
    [{ sub: "u1", preferred_username: "anna", name: "anna" }, null, ["u1", null]],
    [{ sub: "u1", groups: ["geo-staff", "x"] }, ROLES, ["u1", "operator"]],
    [{ sub: "u1", groups: ["geo-admins", "geo-staff"] }, ROLES, ["u1", "admin"]],
    [{ sub: "u1", groups: "geo-staff" }, ROLES, ["u1", "operator"]],
    [{ sub: "u1", groups: ["Geo-Staff", "geo-staff "] }, ROLES, ["u1", null]],
    [{ sub: "u1", groups: [1, null, { admin: true }] }, ROLES, ["u1", null]],
    [{ sub: "u1" }, ROLES, ["u1", null]],
    [{ sub: "u1" }, anyone, ["u1", "viewer"]],
    [{ sub: "u1", groups: ["staff"] }, anyone, ["u1", "operator"]],
    [
      { sub: "u1", realm_access: { roles: ["a"] } },
      { claim: "realm_access.roles", roles: [["a", "admin"]] },
      ["u1", "admin"],
    ],
    [
      { sub: "u1", "https://a.example/roles": ["a"] },
      { claim: "https://a.example/roles", roles: [["a", "admin"]] },
      ["u1", "admin"],
    ],
  ] as const)
    it(`of ${JSON.stringify(claims)} is ${expected.join(", ")}`, () => {
      const { name, role } = userOf(claims, mapping);
      expect([name, role]).to.deep.equal(expected);
    });

  for (const sub of ["admin", "ADMIN", "self-service", "a b", "x".repeat(65), "", "a\nb"])
    it(`can't be ${JSON.stringify(sub)}`, () => expect(() => userOf({ sub }, null)).to.throw(OidcError));
});

describe("signing in by OpenID Connect", () => {
  let opened: Awaited<ReturnType<typeof openConsoleWithAuth>>;
  let issuer: Awaited<ReturnType<typeof openIssuer>>;
  let target = "";
  const open = async (
    claims: Record<string, unknown>,
    roles: RoleMapping | null = ROLES,
    at = (url: string) => url,
  ) => {
    issuer = await openIssuer();
    opened = await openConsoleWithAuth({ oidc: { issuer: at(issuer.issuer), ...CLIENT, roles } });
    target = `${opened.url}/console/sign-in/oidc/callback`;
    issuer.serve(target, claims);
  };
  afterEach(async () => {
    await opened[Symbol.asyncDispose]();
    await issuer[Symbol.asyncDispose]();
  });
  /** Up to the return of the browser. */
  const start = async (login = "u1") => {
    const client = opened.browser();
    const { status, headers } = await client.get("/console/sign-in/oidc?next=%2Fconsole%2Fkeys");
    expect(status).to.equal(303);
    const back = await signInAtIssuer(headers.location ?? "", login);
    return { client, back, path: back.pathname + back.search };
  };

  it("signs users in with the role of their groups, and leads to where they were going", async () => {
    await open({ email: "eve@example.com", email_verified: true, groups: ["geo-staff"] });
    expect((await opened.browser().get("/console/sign-in")).text).to.include(
      `Sign in with ${new URL(issuer.issuer).host}`,
    );
    const { client, path } = await start();
    const { status, headers } = await client.get(path);
    expect([status, headers.refresh]).to.deep.equal([200, "0; url=/console/keys"]);
    expect((await client.get("/console/keys/new")).text).to.include('<span class="who">eve@example.com</span>');
    expect((await client.get("/console/keys/new")).status).to.equal(200);
    // The code and the cookie work once.
    expect((await client.get(path)).status).to.equal(403);
  });

  for (const [what, oidc] of [
    ["is switched off", () => null],
    ["grants other roles", () => ({ issuer: issuer.issuer, ...CLIENT, roles: null })],
    ["has another issuer", () => ({ issuer: "http://127.0.0.1:1", ...CLIENT, roles: ROLES })],
  ] as const)
    it(`ends all sessions by it when it ${what}, and no others`, async () => {
      await open({ email: "eve@example.com", email_verified: true, groups: ["geo-staff"] });
      const { client, path } = await start();
      await client.get(path);
      const byToken = await opened.signedIn("otto");
      await opened[Symbol.asyncDispose]();
      for (const [settings, expected] of [
        [{ issuer: issuer.issuer, ...CLIENT, roles: ROLES }, 200],
        [oidc(), 303],
      ] as const) {
        opened = await openConsoleWithAuth({ oidc: settings });
        for (const [from, status] of [
          [client, expected],
          [byToken, 200],
        ] as const) {
          const now = opened.browser();
          for (const [name, value] of from.cookies) now.cookies.set(name, value);
          expect((await now.get("/console/keys")).status).to.equal(status);
        }
        if (expected === 200) await opened[Symbol.asyncDispose]();
      }
    });

  it("asks for a code with PKCE, and keeps its checks from scripts and from forms of others", async () => {
    await open({});
    const { headers } = await opened.browser().get("/console/sign-in/oidc");
    const query = Object.fromEntries(new URL(headers.location ?? "").searchParams);
    expect(query).to.include({ response_type: "code", code_challenge_method: "S256", redirect_uri: target });
    for (const name of ["state", "nonce", "code_challenge"]) expect(query[name], name).to.have.length.above(40);
    expect(headers["set-cookie"]?.join()).to.match(/^geolookup-sign-in=.*HttpOnly.*SameSite=Lax/);
  });

  it("lets operators in who were added by name, with their own role, and tells others which groups they have", async () => {
    await open({ groups: ["sales"] });
    const vera = await start("vera");
    expect((await vera.client.get(vera.path)).status).to.equal(200);
    expect((await vera.client.get("/console/keys/new")).status).to.equal(403);
    const other = await start("u2");
    const { status, text } = await other.client.get(other.path);
    expect(status).to.equal(403);
    expect(text).to.include("u2 isn't an operator".replace("'", "&#39;")).and.include("sales");
    expect((await other.client.get("/console/keys")).status).to.equal(303);
  });

  for (const [what, forge] of [
    ["of another issuer", (claims: object) => ({ ...claims, iss: "http://127.0.0.1:1" })],
    ["for another client", (claims: object) => ({ ...claims, aud: "another" })],
    [
      "of another client for this one",
      (claims: object) => ({ ...claims, aud: [CLIENT.clientId, "another"], azp: "another" }),
    ],
    ["with another nonce", (claims: object) => ({ ...claims, nonce: "another" })],
    ["without a nonce", (claims: object) => ({ ...claims, nonce: undefined })],
    ["that has expired", (claims: object) => ({ ...claims, exp: Math.floor(Date.now() / 1_000) - 60 })],
    ["that never expires", (claims: object) => ({ ...claims, exp: undefined })],
  ] as const)
    it(`refuses an ID token ${what}`, async () => {
      await open({ groups: ["geo-admins"] });
      issuer.forge((header, claims) => ({ header, claims: forge(claims) as Record<string, unknown>, key: issuer.key }));
      const { client, path } = await start();
      expect((await client.get(path)).status).to.equal(403);
      expect((await client.get("/console/keys")).status).to.equal(303);
    });

  for (const [what, change] of [
    ["without a signature", (header: object) => ({ header: { ...header, alg: "none" }, key: null })],
    ["whose signature is missing", (header: object) => ({ header: { ...header }, key: null })],
    ["with the signature of another key", (header: object) => ({ header: { ...header }, key: OTHER_KEY })],
    [
      "with an HMAC by the client's secret",
      (header: object) => ({ header: { ...header, alg: "HS256" }, key: createSecretKey(CLIENT.clientSecret, "utf8") }),
    ],
    [
      "with an HMAC by the issuer's public key",
      (header: object) => ({
        header: { ...header, alg: "HS256" },
        key: createSecretKey(issuer.publicKey.export({ type: "spki", format: "pem" }) as string, "utf8"),
      }),
    ],
  ] as const)
    it(`refuses an ID token ${what}`, async () => {
      await open({ groups: ["geo-admins"] });
      issuer.forge((header, claims) => ({ ...change(header), claims }));
      const { client, path } = await start();
      expect((await client.get(path)).status).to.equal(403);
      expect((await client.get("/console/keys")).status).to.equal(303);
    });

  for (const [what, change] of [
    ["another state", (query: URLSearchParams) => query.set("state", "another")],
    ["no state", (query: URLSearchParams) => query.delete("state")],
    ["another issuer", (query: URLSearchParams) => query.set("iss", "http://127.0.0.1:1")],
    ["an error", (query: URLSearchParams) => query.set("error", "access_denied")],
  ] as const)
    it(`refuses a return with ${what}`, async () => {
      await open({ groups: ["geo-admins"] });
      const { client, back } = await start();
      change(back.searchParams);
      expect((await client.get(back.pathname + back.search)).status).to.equal(403);
      expect((await client.get("/console/keys")).status).to.equal(303);
    });

  it("refuses a return in a browser that didn't start it, or with a forged cookie", async () => {
    await open({ groups: ["geo-admins"] });
    const { client, path } = await start();
    const other = opened.browser();
    expect((await other.get(path)).status).to.equal(403);
    const [kept = ""] = client.cookies.get("geolookup-sign-in")?.split(".") ?? [];
    other.cookies.set("geolookup-sign-in", `${kept}.${"A".repeat(43)}`);
    expect((await other.get(path)).status).to.equal(403);
    expect((await client.get(path)).status).to.equal(200);
  });

  for (const [what, at] of [
    ["is down", () => "http://127.0.0.1:1"],
    ["has no metadata there", (url: string) => `${url}/other`],
    ["has another name", (url: string) => url.replace("127.0.0.1", "localhost")],
  ] as const)
    it(`shows the form for tokens, which work, while the issuer ${what}`, async () => {
      await open({}, ROLES, at);
      const client = opened.browser("admin");
      const { status, text } = await client.get("/console/sign-in/oidc");
      expect(status).to.equal(502);
      expect(text).to.include("check-oidc").and.include('name="token"');
      await client.signIn();
      expect((await client.get("/console/keys")).status).to.equal(200);
    });

  it("shows the form for tokens if the issuer goes down before the browser returns", async () => {
    await open({ groups: ["geo-admins"] });
    const { client, path } = await start();
    await issuer[Symbol.asyncDispose]();
    const { status, text } = await client.get(path);
    expect([status, text.includes('name="token"')]).to.deep.equal([502, true]);
    expect(text).to.include("The issuer isn&#39;t responding");
    expect((await client.get("/console/keys")).status).to.equal(303);
  });
});
