import { expect } from "chai";
import { pino } from "pino";
import { flushLogBudgets } from "../observability/log-budget.ts";
import { callUnary, loadService, openClient } from "./client.ts";
import { startGrpcServer } from "./server.ts";

const CALLS = 300;

describe("a gRPC handler that fails on every call", () => {
  it("writes one line in 10 s, and a summary of the others", async () => {
    const lines: { msg: string; repeated?: number }[] = [];
    const { service: definition } = loadService("auth/v1/auth.proto", "geolookup.auth.v1.Auth");
    const server = await startGrpcServer({
      host: "127.0.0.1",
      port: 0,
      services: [
        {
          definition,
          handlers: {
            authorize: () => {
              throw new Error("broken");
            },
          },
        },
      ],
      log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }),
    });
    const client = openClient(loadService("auth/v1/auth.proto", "geolookup.auth.v1.Auth"), `127.0.0.1:${server.port}`);
    try {
      const call = () => callUnary(client, "authorize", { checks: [] }, { deadlineMs: 10_000 }).catch(() => undefined);
      await Promise.all(Array.from({ length: CALLS }, call));
    } finally {
      client.close();
      await server.close();
    }
    flushLogBudgets();
    expect(lines.map(({ msg, repeated = 1 }) => [msg, repeated])).to.deep.equal([
      ["an unexpected error in a gRPC call", 1],
      ["an unexpected error in a gRPC call (repeated)", CALLS - 1],
    ]);
  });
});
