import { createHmac } from "node:crypto";
import { expect } from "chai";
import { createCallerNames, limitSubject } from "./caller.ts";

describe("limitSubject", () => {
  it("keeps IPv4 addresses", () => expect(limitSubject("192.0.2.7", 64)).to.equal("192.0.2.7"));
  const sameSubject = (prefix: number, a: string, b: string) => limitSubject(a, prefix) === limitSubject(b, prefix);
  for (const [prefix, a, b, same] of [
    [64, "2001:db8::1", "2001:db8::ffff:ffff:ffff:ffff", true],
    [64, "2001:db8::1", "2001:db8:0:1::1", false],
    [56, "2001:db8:0:1::1", "2001:db8:0:ff::1", true],
    [56, "2001:db8:0:ff::1", "2001:db8:0:100::1", false],
    [60, "2001:db8:0:10::", "2001:db8:0:1f::", true],
    [60, "2001:db8:0:10::", "2001:db8:0:20::", false],
    [128, "2001:db8::1", "2001:db8::2", false],
    [1, "8000::", "ffff::", true],
  ] as const) {
    it(`/${prefix}: ${a} and ${b} are ${same ? "one" : "two"}`, () => expect(sameSubject(prefix, a, b)).to.equal(same));
  }
});

describe("createCallerNames", () => {
  it("is a truncated HMAC-SHA256 of the address", () => {
    const whole = createHmac("sha256", "s3cret").update("192.0.2.7").digest("base64url");
    const name = createCallerNames("s3cret", 64)("192.0.2.7");
    expect(name).to.have.length(22).and.to.equal(whole.slice(0, 22));
  });
  it("differs by key, and without a key", () => {
    const nameOf = createCallerNames("s3cret", 64);
    const ips = ["192.0.2.7", "192.0.2.8", "2001:db8::1", "2001:db8:0:1::1"];
    const names = ips.flatMap((ip) => [undefined, "key_a", "key_b", "1", ""].map((keyId) => nameOf(ip, keyId)));
    expect(new Set(names).size).to.equal(names.length);
    for (const name of names) expect(name).to.match(/^[\w-]{22}$/);
    expect(nameOf("2001:db8::ffff", "key_a")).to.equal(nameOf("2001:db8::1", "key_a"));
  });
  it("is a truncated HMAC-SHA256 of the key ID and the address's network", () => {
    const whole = createHmac("sha256", "s3cret")
      .update("key_a 32.1.13.184.0.0.0.1.0.0.0.0.0.0.0.0")
      .digest("base64url");
    expect(createCallerNames("s3cret", 64)("2001:db8:0:1::9", "key_a")).to.equal(whole.slice(0, 22));
  });
  it("differs by secret", () =>
    expect(createCallerNames("one", 64)("192.0.2.7")).not.to.equal(createCallerNames("two", 64)("192.0.2.7")));
});
