import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { askOpsPort } from "./ops-ports.ts";

describe("askOpsPort", () => {
  const server = createServer((req, res) => {
    if (req.url === "/moved") return res.writeHead(302, { Location: "/" }).end();
    // A response without an end.
    if (req.url === "/endless") return res.write("x".repeat(2_000));
    res.writeHead(503).end("é".repeat(500));
  });
  before(() => once(server.listen(0, "127.0.0.1"), "listening"));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const ask = (path: string) =>
    askOpsPort(`127.0.0.1:${(server.address() as AddressInfo).port}`, path, {
      timeoutMs: 5_000,
      maxBytes: 1_000,
    }).catch((error: Error) => error.message);

  it("returns any status with its text", async () =>
    expect(await ask("/")).to.deep.equal({ status: 503, text: "é".repeat(500) }));
  it("stops reading a response that is too large", async () =>
    expect(await ask("/endless")).to.equal("the response from /endless is too large"));
  it("doesn't follow redirects", async () => expect(await ask("/moved")).to.equal("fetch failed"));
});
