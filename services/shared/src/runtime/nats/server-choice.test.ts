import { expect } from "chai";
import { createServerOrder } from "./server-choice.ts";

describe("createServerOrder", () => {
  it("tries servers that were left last, the latest at the end", () => {
    let turn = 0;
    const { order, left } = createServerOrder(() => (turn += 1));
    const servers = ["nats://a:1", "b:1", "tls://c:1"];
    expect(order(servers)).to.deep.equal(servers);
    left("a:1");
    expect(order(servers)).to.deep.equal(["b:1", "tls://c:1", "nats://a:1"]);
    left("c:1");
    expect(order(servers)).to.deep.equal(["b:1", "nats://a:1", "tls://c:1"]);
    left("a:1");
    expect(order(servers)).to.deep.equal(["b:1", "tls://c:1", "nats://a:1"]);
  });

  it("compares whole addresses, with the default port", () => {
    const { order, left } = createServerOrder(() => 0);
    left("1.2.3.4:4222");
    expect(order(["nats://1.2.3.4/", "nats://11.2.3.4:4222"])).to.deep.equal([
      "nats://11.2.3.4:4222",
      "nats://1.2.3.4/",
    ]);
    left("[::1]:4222");
    expect(order(["[::1]", "a"])).to.deep.equal(["a", "[::1]"]);
  });
});
