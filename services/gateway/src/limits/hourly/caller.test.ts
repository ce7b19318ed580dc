import { createHmac } from "node:crypto";
import { expect } from "chai";
import { createCallerNames, NAME_LENGTH } from "./hourly-limit.ts";

const start = (whole: string) => whole.slice(0, NAME_LENGTH);

describe("createCallerNames", () => {
  it("is the beginning of an HMAC-SHA256 of the address", () => {
    const whole = createHmac("sha256", "s3cret").update("192.0.2.7").digest("base64url");
    const name = createCallerNames("s3cret", 64)("192.0.2.7");
    expect(name).to.equal(start(whole));
  });
  it("differs by key, and without a key", () => {
    const nameOf = createCallerNames("s3cret", 64);
    const ips = ["192.0.2.7", "192.0.2.8", "2001:db8::1", "2001:db8:0:1::1"];
    const names = ips.flatMap((ip) => [undefined, "key_a", "key_b", "1", ""].map((keyId) => nameOf(ip, keyId)));
    expect(new Set(names).size).to.equal(names.length);
    for (const name of names) expect(name).to.match(/^[\w-]{22}$/);
    expect(nameOf("2001:db8::ffff", "key_a")).to.equal(nameOf("2001:db8::1", "key_a"));
  });
  it("is the beginning of an HMAC-SHA256 of the key ID and the address's network", () => {
    const whole = createHmac("sha256", "s3cret")
      .update("key_a 32.1.13.184.0.0.0.1.0.0.0.0.0.0.0.0")
      .digest("base64url");
    expect(createCallerNames("s3cret", 64)("2001:db8:0:1::9", "key_a")).to.equal(start(whole));
  });
  it("is one for an IPv4 address and the IPv6 addresses that embed it, with a key and without", () => {
    const nameOf = createCallerNames("s3cret", 64);
    for (const keyId of [undefined, "key_a"]) {
      const embedding = ["64:ff9b::c000:207", "2002:c000:207::1", "2001:0:4136:e378:8000:63bf:3fff:fdf8"];
      for (const ip of embedding) expect(nameOf(ip, keyId), ip).to.equal(nameOf("192.0.2.7", keyId));
      expect(nameOf("64:ff9b::c000:208", keyId)).to.not.equal(nameOf("192.0.2.7", keyId));
    }
  });
  it("differs by secret", () =>
    expect(createCallerNames("one", 64)("192.0.2.7")).not.to.equal(createCallerNames("two", 64)("192.0.2.7")));
});
