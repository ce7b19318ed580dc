import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { Router } from "express";
import { createPortal } from "../app.ts";
import { testDeployment } from "../testing/test-deployment.ts";
import { parseSecurityContacts, securityTxt } from "./security-txt.ts";

describe("parseSecurityContacts", () => {
  it("reads URLs, email addresses and telephone numbers in order", () => {
    for (const [value, contacts] of [
      ["security@example.com", ["mailto:security@example.com"]],
      ["mailto:security@example.com", ["mailto:security@example.com"]],
      ["https://example.com/report , tel:+1-201-555-0123,", ["https://example.com/report", "tel:+1-201-555-0123"]],
      ["", []],
    ] as const)
      expect(parseSecurityContacts(value), value).to.deep.equal(contacts);
  });

  for (const bad of [
    "http://example.com/report",
    "example.com",
    "javascript:alert(1)",
    "mailto:",
    "security@example.com\nContact: mailto:other@example.com",
    "https://exa mple.com",
    "tel:call-me",
  ])
    it(`refuses ${JSON.stringify(bad)}`, () => {
      expect(() => parseSecurityContacts(bad)).to.throw(/isn't an https:, mailto: or tel: address/);
    });
});

describe("securityTxt", () => {
  const now = Date.UTC(2026, 10, 22, 13, 14, 15);

  it("has the fields that RFC 9116 requires, and an expiry date that changes daily", () => {
    const text = securityTxt(["mailto:a@example.com", "https://example.com/r"], "https://docs.example.com", now);
    expect(text).to.equal(
      [
        "Contact: mailto:a@example.com",
        "Contact: https://example.com/r",
        "Expires: 2027-02-20T00:00:00.000Z",
        "Preferred-Languages: en",
        "Canonical: https://docs.example.com/.well-known/security.txt",
        "",
      ].join("\n"),
    );
  });

  it("has no canonical address without HTTPS", () => {
    for (const docsUrl of ["http://docs.localhost:8080", null])
      expect(securityTxt(["mailto:a@example.com"], docsUrl, now)).to.not.include("Canonical");
  });
});

describe("/.well-known/security.txt", () => {
  let server: Server;
  let contacts: readonly string[] = [];
  before((done) => {
    const deployment = () => testDeployment({ securityContacts: contacts });
    const app = createPortal(deployment, Router(), (error) => {
      throw error;
    });
    server = app.listen(0, "127.0.0.1", done);
  });
  after((done) => void server.close(done));
  const get = () => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/.well-known/security.txt`);

  it("is plain text with the operator's contacts", async () => {
    contacts = ["mailto:a@example.com"];
    const response = await get();
    expect([response.status, response.headers.get("content-type")]).to.deep.equal([200, "text/plain; charset=utf-8"]);
    const text = await response.text();
    expect(text).to.match(/^Contact: mailto:a@example\.com\nExpires: /);
    const expires = Date.parse(/^Expires: (.*)$/m.exec(text)?.[1] ?? "");
    expect(expires).to.be.within(Date.now() + 88 * 86_400_000, Date.now() + 91 * 86_400_000);
  });

  it("doesn't exist without a contact, since RFC 9116 requires one", async () => {
    contacts = [];
    const response = await get();
    expect([response.status, response.headers.get("cache-control")]).to.deep.equal([404, "no-store"]);
  });
});
