import type { ClientHttp2Session } from "node:http2";
import grpc from "@grpc/grpc-js";
import { Registry } from "@prometheus-io/client";
import { pino } from "pino";
import { waitFor } from "../../../../../../test/harness/wait-for.ts";
import { adminOnly } from "../calls.ts";
import { callUnary, openClient } from "../client.ts";
import type { GrpcLimits } from "../limits.ts";
import { expectBatch, serve } from "../served-service.ts";
import { startGrpcServer } from "../server.ts";
import { GEO, USAGE } from "../services.ts";
import { beginCall, framed, openHttp2, openSocket } from "./raw-grpc.ts";

export const TOKEN = "a-token-of-some-length";
export const DEADLINE_MS = 15_000;
/** The city of the address "long", which makes the response this long. */
const LONG_CITY = "x".repeat(100_000);
const LONG_REQUEST = framed(GEO.Locate.requestSerialize({ addresses: ["long"] }));

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
    const locate = ({ addresses }: { addresses: string[] }) => {
      expectBatch(addresses);
      const [first] = addresses;
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
          serve(GEO, { Locate: locate }),
          serve(USAGE, { GetMonth: getMonth }, { identify: adminOnly(TOKEN) }),
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
      /** A bare TCP connection. */
      socket: async (...from: [address?: Parameters<typeof openSocket>[1], host?: string, allowHalfOpen?: boolean]) => {
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

/** Begins a call with a long response, and doesn't read it. */
export function requestUnread(session: ClientHttp2Session, path: string): void {
  const call = beginCall(session, path);
  call.pause();
  call.end(LONG_REQUEST);
}
