import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { expect } from "chai";
import { readConfig } from "./config.ts";

describe("readConfig of the portal", () => {
  it("has a default for everything", () => {
    const config = readConfig({});
    expect(config).to.deep.include({
      port: 8082,
      docsUrl: null,
      apiUrl: null,
      demoKey: null,
      geoUrl: null,
      securityContacts: [],
      site: { name: "Geolocation API", contact: null, terms: null, hasConsole: true, selfService: "off" },
    });
    expect(config.keyless).to.deep.equal({ hourlyLimit: 60, ipv6Prefix: 64 });
  });

  it("reads the gateways' settings for keyless requests", () => {
    expect(readConfig({ KEYLESS_LIMIT: "5", IPV6_LIMIT_PREFIX: "56" }).keyless).to.deep.equal({
      hourlyLimit: 5,
      ipv6Prefix: 56,
    });
    expect(readConfig({ KEYLESS: "off" }).keyless.hourlyLimit).to.equal(null);
  });

  it("has a console if all its settings are given, and otherwise names the missing ones", () => {
    const all = {
      DOCS_URL: "https://docs.example.com",
      AUTH_URL: "auth:50052",
      USAGE_URL: "usage:50053",
      ADMIN_TOKEN: "a-token-of-some-length",
      OPS_TARGETS: "gateway=gateway:9464, geo=geo:9464",
    };
    expect(readConfig(all).console).to.deep.equal({
      authUrl: "auth:50052",
      usageUrl: "usage:50053",
      geoUrl: null,
      signIn: { proxy: null, oidc: null },
      trustProxy: "none",
      dataCommands: null,
      adminToken: "a-token-of-some-length",
      opsTargets: [
        { service: "gateway", target: "gateway:9464" },
        { service: "geo", target: "geo:9464" },
      ],
    });
    expect(readConfig({ ...all, OPS_TARGETS: "" }).console).to.deep.include({ opsTargets: null });
    expect(readConfig({ ...all, USAGE_URL: "", ADMIN_TOKEN: "" }).console).to.deep.equal({
      missing: ["USAGE_URL", "ADMIN_TOKEN"],
    });
    const { console, site } = readConfig({ ...all, CONSOLE: "off" });
    expect([console, site.hasConsole]).to.deep.equal(["off", false]);
    expect(() => readConfig({ CONSOLE: "no" })).to.throw(StartError, /CONSOLE: must be on or off/);
  });

  it("reads how operators sign in, and refuses half of it, without showing secrets", () => {
    const secret = "a-secret-of-the-proxy";
    const all = {
      ...{
        DOCS_URL: "https://docs.example.com",
        AUTH_URL: "a:1",
        USAGE_URL: "u:1",
        ADMIN_TOKEN: "a-token-of-some-length",
      },
      ...{ OPERATOR_HEADER: "X-Email", OPERATOR_HEADER_SECRET: secret, OPERATOR_HEADER_ROLE: "viewer" },
      ...{ OIDC_ISSUER: "https://sso.example.com/x", OIDC_CLIENT_ID: "id", OIDC_CLIENT_SECRET: "hidden" },
      OIDC_ROLES: "groups  geo-admins=admin, The Staff=operator,*=viewer",
    };
    const roles = [
      ["geo-admins", "admin"],
      ["The Staff", "operator"],
      ["*", "viewer"],
    ];
    expect(readConfig(all).console).to.have.deep.property("signIn", {
      proxy: { header: "x-email", secret, role: "viewer" },
      oidc: {
        ...{ issuer: "https://sso.example.com/x", clientId: "id", clientSecret: "hidden" },
        roles: { claim: "groups", roles },
      },
    });
    for (const [change, message] of [
      [{ OPERATOR_HEADER_SECRET: "" }, /OPERATOR_HEADER_SECRET: is required with OPERATOR_HEADER/],
      [{ OPERATOR_HEADER: "" }, /OPERATOR_HEADER: is required with OPERATOR_HEADER_SECRET/],
      [{ OPERATOR_HEADER_SECRET: "short-secret" }, /OPERATOR_HEADER_SECRET: must have at least 16 characters$/m],
      [{ OPERATOR_HEADER: "Cookie" }, /OPERATOR_HEADER: must be the name of a header that the proxy sets/],
      [{ OPERATOR_HEADER_ROLE: "root" }, /OPERATOR_HEADER_ROLE: must be one of viewer, operator, admin/],
      [{ OIDC_CLIENT_ID: "" }, /OIDC_CLIENT_ID: is required with OIDC_ISSUER/],
      [{ OIDC_ISSUER: "http://sso.example.com" }, /OIDC_ISSUER: must be an https: URL/],
      [{ OIDC_ROLES: "groups" }, /OIDC_ROLES: must be a claim, a space and roles by value/],
      [{ OIDC_ROLES: "groups a=root" }, /OIDC_ROLES: must be a claim/],
    ] as const)
      expect(() => readConfig({ ...all, ...change }))
        .to.throw(StartError, message)
        .with.property("message")
        .that.does.not.include("secret-of")
        .and.not.include("short-secret");
  });

  it("refuses a short admin token without showing it, and invalid ops targets", () => {
    expect(() => readConfig({ ADMIN_TOKEN: "short-secret", OPS_TARGETS: "gateway" }))
      .to.throw(StartError)
      .with.property("message")
      .that.matches(/ADMIN_TOKEN: must have at least 16 characters/)
      .and.matches(/OPS_TARGETS: "gateway" is invalid/)
      .and.not.include("short-secret");
  });

  it("reads the name, the contact and the terms of the docs site", () => {
    const terms = "https://example.com/terms";
    expect(
      readConfig({ SITE_NAME: "Example Geo", SITE_CONTACT: "help@example.com", SITE_TERMS: terms }).site,
    ).to.deep.equal({
      ...{ name: "Example Geo", contact: "mailto:help@example.com", terms, hasConsole: true, selfService: "off" },
    });
    expect(readConfig({ SITE_CONTACT: "https://example.com/help" }).site.contact).to.equal("https://example.com/help");
    for (const bad of ["http://example.com", "javascript:alert(1)", "help"])
      expect(() => readConfig({ SITE_CONTACT: bad, SITE_TERMS: bad }), bad)
        .to.throw(StartError, /SITE_CONTACT: must be an email address or an https: URL/)
        .with.property("message")
        .that.matches(/SITE_TERMS: must be an https: URL/);
  });

  it("refuses a secret key as the demo key, without showing it", () => {
    const key = `geo_sk_${"a".repeat(50)}`;
    expect(() => readConfig({ DEMO_KEY: key }))
      .to.throw(StartError, /DEMO_KEY: must be a publishable key/)
      .with.property("message")
      .that.does.not.include("aaa");
  });
});
