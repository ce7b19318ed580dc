import { createHmac } from "node:crypto";
import { expect } from "chai";
import { createHmacSha256 } from "./hmac-sha256.ts";

describe("createHmacSha256", () => {
  for (const secretLength of [0, 1, 32, 63, 64, 65, 128, 1000])
    it(`equals Node's createHmac, with a secret of ${secretLength} bytes`, () => {
      const secret = Buffer.from(Array.from({ length: secretLength }, (_, index) => (index * 97 + 3) & 0xff));
      const hmac = createHmacSha256(secret);
      // Alternately long and short: no part of a message may remain for the next.
      for (const length of [15, 0, 64, 7, 63, 65, 1, 127, 128, 129, 200, 15])
        for (const message of ["192.0.2.7".repeat(30).slice(0, length), "~".repeat(length)])
          expect(hmac(message)).to.equal(createHmac("sha256", secret).update(message).digest("base64url"));
    });

  it("passes RFC 4231's second test case", () => {
    const hmac = createHmacSha256(Buffer.from("Jefe"))("what do ya want for nothing?");
    expect(Buffer.from(hmac, "base64url").toString("hex")).to.equal(
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    );
  });
});
