import { createSocket } from "node:dgram";
import { once } from "node:events";
import { expect } from "chai";
import { freePort } from "./free-port.ts";

describe("freePort", () => {
  it("reserves the port, so that no other process gets it too", async () => {
    const other = createSocket("udp4").bind({ port: await freePort(), address: "127.0.0.1", exclusive: true });
    const [error] = await once(other, "error");
    other.close();
    expect(error.code).to.equal("EADDRINUSE");
  });
});
