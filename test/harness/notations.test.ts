import { expect } from "chai";
import { notationsOf } from "./notations.ts";

describe("notationsOf", () => {
  it("returns the notations of an IPv4 address", () => {
    // 44 * 2^24 + 13 * 2^16 + 37 * 2^8 + 211; the numbers and base64 by Python.
    expect(notationsOf("44.13.37.211")).to.include.members([
      "44.13.37.211",
      "2c0d25d3",
      "2c0d:25d3",
      "739059155",
      "LA0l0w",
      "NDQuMTMuMzcuMjEx",
    ]);
  });

  it("returns the notations of an IPv6 address", () => {
    expect(notationsOf("2a0e:1234:dead:beef:0:0:cafe:f00d")).to.include.members([
      "2a0e:1234:dead:beef:0:0:cafe:f00d",
      "2a0e:1234:dead:beef::cafe:f00d",
      "2a0e:1234:dead:beef:0000:0000:cafe:f00d",
      "2a0e1234deadbeef00000000cafef00d",
      "55900637251138988726108024351896825869",
      "Kg4SNN6tvu8AAAAAyv7wDQ",
      "2a0e%3A1234%3Adead%3Abeef%3A%3Acafe%3Af00d",
    ]);
  });
});
