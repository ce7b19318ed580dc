import { readFileSync } from "node:fs";
import { expect } from "chai";
import { createAuthority } from "../../../../../test/harness/certificates.ts";
import { outOfDate, readCertificate } from "./certificate.ts";

const DAY_MS = 86_400_000;

describe("readCertificate", () => {
  const authority = createAuthority();
  const read = ({ certFile, keyFile }: { certFile: string; keyFile: string }) => ({
    cert: readFileSync(certFile, "utf8"),
    key: readFileSync(keyFile, "utf8"),
  });
  const { cert, key } = read(authority.issue({ days: 3 }));
  const other = read(authority.issue());

  it("parses a chain and its key, with its validity", () => {
    const certificate = readCertificate(cert + authority.ca, key);
    expect(certificate).to.include({ cert: cert + authority.ca, key });
    expect(certificate.expiresMs - certificate.validFromMs).to.equal(3 * DAY_MS);
    expect(certificate.expiresMs).to.be.within(Date.now() + 2 * DAY_MS, Date.now() + 3 * DAY_MS);
  });

  const middle = Math.floor(cert.length / 2);
  for (const [what, chain, privateKey, complaint] of [
    ["a key of another certificate", cert, other.key, /^the key doesn't match the first certificate/],
    ["a chain in the wrong order", authority.ca + cert, key, /^the key doesn't match the first certificate/],
    ["half a certificate", cert.slice(0, middle), key, /^the certificate file doesn't have a complete PEM/],
    [
      "a chain whose second half is missing",
      cert + authority.ca.slice(0, middle),
      key,
      /^the certificate or key can't be used/,
    ],
    ["an empty certificate file", "", key, /^the certificate file doesn't have a complete PEM/],
    ["half a key", cert, key.slice(0, key.length / 2), /^the key file doesn't have a complete PEM private key/],
    ["the certificate in place of the key", cert, cert, /^the key file doesn't have a complete PEM private key/],
  ] as const)
    it(`refuses ${what}, without showing the key`, () => {
      expect(() => readCertificate(chain, privateKey))
        .to.throw(complaint)
        .with.property("message")
        .that.does.not.include(key.split("\n")[1] ?? "");
    });

  it("is out of date outside its validity", () => {
    const certificate = { cert, key, validFromMs: 1_000, expiresMs: 2_000 };
    expect(outOfDate(certificate, 999)).to.equal("the certificate is not valid before 1970-01-01T00:00:01.000Z");
    expect(outOfDate(certificate, 1_000)).to.equal(undefined);
    expect(outOfDate(certificate, 1_999)).to.equal(undefined);
    expect(outOfDate(certificate, 2_000)).to.equal("the certificate expired at 1970-01-01T00:00:02.000Z");
  });
});
