import { isIPv4, isIPv6 } from "node:net";
import { publicAddress } from "@geolookup/geo/mmdb/address.ts";
import { expect } from "chai";
import { spreadAddresses } from "./addresses.ts";

describe("addresses of the load", () => {
  const addresses = spreadAddresses(20_000, 1);

  it("are the same for the same seed, and different for another", () => {
    expect(spreadAddresses(20_000, 1)).to.deep.equal(addresses);
    expect(spreadAddresses(100, 2)).to.not.deep.equal(addresses.slice(0, 100));
  });

  it("are public and in the form in which the service looks them up", () => {
    expect(addresses.filter((address) => publicAddress(address) !== address)).to.deep.equal([]);
  });

  it("are as many as requested, all different, with at most one in each IPv6 /64, so that each has its own hourly limit", () => {
    expect(new Set(addresses).size).to.equal(20_000);
    const ipv6 = addresses.filter((address) => isIPv6(address));
    expect(ipv6).to.have.length(1_250);
    const networks = ipv6.map((address) => new URL(`http://[${address}]`).hostname.split(":").slice(0, 4).join(":"));
    expect(new Set(networks).size).to.be.at.least(1_249);
  });

  it("are spread over all of IPv4", () => {
    const perEighth = new Map<number, number>();
    for (const address of addresses.filter((address) => isIPv4(address))) {
      const eighth = Math.floor(Number(address.split(".")[0]) / 28);
      perEighth.set(eighth, (perEighth.get(eighth) ?? 0) + 1);
    }
    // First octets 1 to 223 are unicast: eight parts of 28, without 0, 10 and 127.
    expect([...perEighth.keys()].sort()).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7]);
    for (const count of perEighth.values()) expect(count).to.be.within(1_950, 2_650);
  });
});
