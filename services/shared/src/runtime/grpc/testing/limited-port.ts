import type { ClientHttp2Session, ClientHttp2Stream } from "node:http2";
import grpc from "@grpc/grpc-js";
import { Registry } from "@prometheus-io/client";
import { pino } from "pino";
import { waitFor } from "../../../../../../test/harness/wait-for.ts";
import { callUnary, openClient } from "../client.ts";
import { type GrpcLimits, MAX_BATCH } from "../limits.ts";
import { serve } from "../served-service.ts";
import { startGrpcServer } from "../server.ts";
import { GEO, USAGE } from "../services.ts";
import { beginCall, framed, openHttp2, openSocket } from "./raw-grpc.ts";

export const TOKEN = "a-token-of-some-length";
export const DEADLINE_MS = 15_000;
/** The city of the address "long", which makes the response this long. */
const LONG_CITY = "x".repeat(100_000);
const LONG_REQUEST = framed(GEO.Locate.requestSerialize({ addresses: ["long"] }));
const BATCH = { field: 1, max: MAX_BATCH };

/** Returns a function that starts a gRPC port with some limits. What it opens is closed after each test. */
export function limitedPorts() {
  let opened: AsyncDisposableStack;
  beforeEach(() => {
    opened = new AsyncDisposableStack();
  });
  afterEach(() => opened.disposeAsync());

  return async (limits: Partial<GrpcLimits> = {}, host = "127.0.0.1") => {
    const registry = new Registry();
    /** The first address of each handled request. */
    const located: (string | undefined)[] = [];
    let months = 0;
    const locate = ({ addresses: [first] }: { addresses: string[] }) => {
      located.push(first);
      return { records: { members: [first === "long" ? LONG_CITY : "city"] } };
    };
    const getMonth = () => {
      months += 1;
      return {};
    };
    const server = opened.use(
      await startGrpcServer({
        ...{ host, port: 0, log: pino({ level: "silent" }), registry, limits },
        services: [
          serve(GEO, { Locate: locate }, { batches: { Locate: BATCH } }),
          serve(USAGE, { GetMonth: getMonth }, { adminToken: TOKEN }),
        ],
      }),
    );
    server.setServing(true);
    const client = opened.use(openClient(`127.0.0.1:${server.port}`));
    const refused = async (reason: string) => {
      const metric = await registry.getSingleMetric("geolookup_grpc_refusals_total")?.get();
      return metric?.values.find(({ labels }) => labels.reason === reason)?.value ?? 0;
    };
    const port = {
      located,
      months: () => months,
      refused,
      waitForRefusals: (reason: string, count = 1) =>
        waitFor(`${count} refused: ${reason}`, async () => (await refused(reason)) >= count, DEADLINE_MS),
      /** A bare TCP connection. */
      socket: async (...from: [address?: Parameters<typeof openSocket>[1], host?: string]) => {
        const each = await openSocket(server.port, ...from);
        opened.defer(() => void each.socket.destroy());
        return each;
      },
      /** An HTTP/2 connection. */
      session: (): ClientHttp2Session => {
        const session = openHttp2(server.port);
        opened.defer(() => session.destroy());
        return session;
      },
      /** The status of a call of Locate. */
      locate: (...addresses: string[]) =>
        statusCodeOf(callUnary(client, GEO.Locate, { addresses }, { deadlineMs: DEADLINE_MS })),
      waitForLocate: (status: grpc.status) =>
        waitFor(`status ${status}`, async () => (await port.locate("a")) === status, DEADLINE_MS),
      getMonth: () => callUnary(client, USAGE.GetMonth, {}, { deadlineMs: DEADLINE_MS, token: TOKEN }),
    };
    return port;
  };
}

function statusCodeOf(call: Promise<unknown>): Promise<grpc.status> {
  return call.then(
    () => grpc.status.OK,
    (error: { cause: grpc.ServiceError }) => error.cause.code,
  );
}

/** Sends requests with long responses in a call, and doesn't read the responses. */
export function requestUnread(session: ClientHttp2Session, path: string, requests: number): ClientHttp2Stream {
  const call = beginCall(session, path);
  call.pause();
  for (let count = 0; count < requests; count += 1) call.write(LONG_REQUEST);
  return call;
}
