import { expect } from "chai";
import { createRequests } from "./requests.ts";

describe("requests of the load", () => {
  const take = (count: number, next: () => string) => Array.from({ length: count }, next);
  const from = (request: string) => /X-Forwarded-For: (\S+)\r\n\r\n$/.exec(request)?.[1];

  it("are complete HTTP/1.1 requests", () => {
    const next = createRequests({ path: "/v1/geo", keys: [] }, ["192.0.2.1"]);
    expect(next()).to.equal("GET /v1/geo HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n");
  });

  it("come from each address once, then from random ones, in another order for each seed", () => {
    const addresses = Array.from({ length: 100 }, (_, index) => `192.0.2.${index}`);
    const [one, same, other] = [1, 1, 2].map((seed) =>
      take(1_000, createRequests({ path: "/v1/geo", keys: [] }, addresses, seed)).map(from),
    );
    expect(new Set(one?.slice(0, 100))).to.deep.equal(new Set(addresses));
    expect(new Set(one?.slice(100, 200))).to.not.deep.equal(new Set(addresses));
    expect(one).to.deep.equal(same).and.not.deep.equal(other);
  });

  it("use every key once per round, in another order than they were issued", () => {
    const keys = Array.from({ length: 100 }, (_, index) => `key${index}`);
    const next = createRequests({ path: "/v1/geo?key={key}&fields=city", keys }, ["192.0.2.1"]);
    const used = take(100, next).map((request) => /key=(\w+)&fields=city HTTP/.exec(request)?.[1]);
    expect(new Set(used)).to.deep.equal(new Set(keys));
    expect(used).to.not.deep.equal(keys);
  });

  it("can't be created with a key if there is none", () => {
    expect(() => createRequests({ path: "/?key={key}", keys: [] }, ["192.0.2.1"])).to.throw("needs keys");
  });
});
