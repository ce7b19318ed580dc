import { expect } from "chai";
import { pino } from "pino";
import { flushLogBudgets } from "../observability/log-budget.ts";
import { callUnary, openClient } from "./client.ts";
import { serve } from "./served-service.ts";
import { startGrpcServer } from "./server.ts";
import { AUTH } from "./services.ts";

const CALLS = 50;

for (const [what, authorize] of [
  [
    "fails on every call",
    () => {
      throw new Error("broken");
    },
  ],
  // A list of strings where messages are expected.
  ["returns what can't be serialized", () => ({ authorizations: ["x"] }) as never],
] as const)
  it(`a gRPC handler that ${what}: logs one line per 10 s, and a summary of the others`, async () => {
    const lines: { msg: string; repeated?: number }[] = [];
    const server = await startGrpcServer({
      host: "127.0.0.1",
      port: 0,
      services: [serve(AUTH, { Authorize: authorize })],
      log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }),
    });
    const client = openClient(`127.0.0.1:${server.port}`);
    try {
      const call = () => callUnary(client, AUTH.Authorize, {}, { deadlineMs: 10_000 }).catch(() => undefined);
      await Promise.all(Array.from({ length: CALLS }, call));
    } finally {
      client.close();
      await server[Symbol.asyncDispose]();
    }
    flushLogBudgets();
    expect(lines.map(({ msg, repeated = 1 }) => [msg, repeated])).to.deep.equal([
      ["unexpected error in gRPC call", 1],
      ["unexpected error in gRPC call (repeated)", CALLS - 1],
    ]);
  });
