import { expect } from "chai";
import { pino } from "pino";
import { startTcpProxy } from "../../../../../test/harness/tcp-proxy.ts";
import { callUnary, openClient } from "./client.ts";
import { serve } from "./served-service.ts";
import { startGrpcServer } from "./server.ts";
import { KEY_ADMIN } from "./services.ts";

describe("a call whose connection is lost before the response", () => {
  let calls: number;
  let cut: () => void;
  let port: number;
  const closing = new AsyncDisposableStack();
  before(async () => {
    const called = () => {
      calls += 1;
      if (calls === 1) cut();
      return {};
    };
    const services = [serve(KEY_ADMIN, { GetKey: called, IssueKey: called })];
    const server = closing.use(
      await startGrpcServer({ host: "127.0.0.1", port: 0, services, log: pino({ level: "silent" }) }),
    );
    const proxy = closing.use(await startTcpProxy(server.port));
    ({ cut, port } = proxy);
  });
  beforeEach(() => {
    calls = 0;
  });
  after(() => closing.disposeAsync());

  it("is made again if it is a read", async () => {
    using client = openClient(`127.0.0.1:${port}`);
    expect(await callUnary(client, KEY_ADMIN.GetKey, {}, { deadlineMs: 10_000 })).to.include.keys("origins");
    expect(calls).to.equal(2);
  });

  it("isn't made again if it is a change, which may have been made", async () => {
    using client = openClient(`127.0.0.1:${port}`);
    const error = await callUnary(client, KEY_ADMIN.IssueKey, {}, { deadlineMs: 10_000 }).catch((reason) => reason);
    expect(error).to.include({ code: "unavailable" });
    expect(calls).to.equal(1);
  });
});
