import { type ClientHttp2Session, connect } from "node:http2";
import { callUnary, type Method, openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import { AUTH, GEO, KEY_ADMIN, TOTALS, USAGE } from "@geolookup/shared/runtime/grpc/services.ts";
import { ONE_OF_EACH, startOneProcessCluster } from "../../harness/cluster.ts";
import type { FuzzSubject } from "../fuzz.ts";
import { mutated } from "../mutations.ts";

const RESPONSE_TIMEOUT_MS = 20_000;
const GOOD_CALL_EVERY = 50;
const FRAME_HEADER_BYTES = 5;
const KEY_ID = "key_000000000000";

/** A method and the bytes of a valid request to mutate. */
function goodRequest<Request>(
  service: "auth" | "geo" | "usage",
  { path, requestSerialize }: Method<Request, unknown>,
  request: NoInfer<Request>,
) {
  return { service, path, good: requestSerialize(request) };
}

const METHODS = [
  goodRequest("geo", GEO.Locate, { addresses: ["44.0.0.1", "2a0e:1234::1"], wantsRecords: true }),
  goodRequest("geo", GEO.Explain, { address: "44.0.0.1" }),
  goodRequest("auth", AUTH.Authorize, { checks: [{ key: "geo_sk_x", origin: "https://a.example" }] }),
  goodRequest("auth", KEY_ADMIN.ListKeys, {
    ...{ search: "a", kind: "SECRET", plan: "paid", status: "active", pageSize: 10, pageToken: "a" },
  }),
  goodRequest("auth", KEY_ADMIN.IssueKey, {
    ...{ kind: "SECRET", plan: "paid", label: "fuzz", origins: ["https://a.example"] },
  }),
  goodRequest("auth", KEY_ADMIN.SetOrigins, { keyId: KEY_ID, origins: ["https://a.example"], expectedVersion: 1 }),
  goodRequest("usage", TOTALS.GetTotals, { instanceId: "a", month: "2026-01", keyIds: [KEY_ID], position: 1 }),
  goodRequest("usage", TOTALS.GetChanges, { instanceId: "a", reported: [{ nodeId: "b", version: 2 }] }),
  goodRequest("usage", USAGE.GetMonth, { keyId: KEY_ID, month: "2026-01" }),
  goodRequest("usage", USAGE.GetLastUsed, { keyIds: [KEY_ID] }),
  goodRequest("usage", USAGE.GetQuotaMonth, { quotaId: "customer_acme", month: "2026-01" }),
  goodRequest("usage", USAGE.ListShardMonth, { shard: 1, month: "2026-01" }),
];

/** An input starts with the number of a method and the kind of framing. The rest is the message. */
const FRAMINGS = 4;

/** Any input on a gRPC port gets a response or a reset. The service keeps running without unexpected errors. */
export async function openProtobufs(corpus: readonly Uint8Array[]): Promise<FuzzSubject> {
  const cluster = await startOneProcessCluster({ ...ONE_OF_EACH, STORES: "embedded" });
  const geo = openClient(cluster.grpc.geo);
  const sessions = new Map<string, ClientHttp2Session>();
  const sessionOf = (service: keyof typeof cluster.grpc) => {
    const held = sessions.get(service);
    if (held && !held.closed && !held.destroyed) return held;
    const session = connect(`http://${cluster.grpc[service]}`);
    session.on("error", () => {});
    sessions.set(service, session);
    return session;
  };
  const bases = METHODS.flatMap(({ good }, index) =>
    Array.from({ length: FRAMINGS }, (_, framing) => Buffer.concat([Buffer.of(index, framing), good])),
  );
  let turn = 0;
  return {
    inputs: mutated([...bases, ...corpus]),
    async check(input) {
      const [index = 0, framing = 0] = input;
      const method = METHODS[index % METHODS.length] as (typeof METHODS)[number];
      const message = framed(Buffer.from(input.subarray(2)), framing % FRAMINGS);
      await ended(sessionOf(method.service), method.path, message, cluster.adminToken);
      if (turn++ % GOOD_CALL_EVERY === 0)
        await callUnary(geo, GEO.Locate, { addresses: ["44.0.0.1"] }, { deadlineMs: RESPONSE_TIMEOUT_MS });
    },
    async finish() {
      for (const session of sessions.values()) session.destroy();
      geo.close();
      await cluster.stop();
      const unexpected = cluster
        .output()
        .split("\n")
        .find((line) => line.includes("unexpected error in gRPC call"));
      if (unexpected !== undefined) throw new Error(unexpected);
    },
  };
}

/** A valid gRPC frame, one whose length is too small or too large, one that claims to be compressed, or none. */
function framed(message: Buffer, framing: number): Buffer {
  if (framing === 3) return message;
  const header = Buffer.alloc(FRAME_HEADER_BYTES);
  header.writeUInt8(framing === 2 ? 1 : 0, 0);
  header.writeUInt32BE(message.length + (framing === 1 ? 1 : 0), 1);
  return Buffer.concat([header, message]);
}

function ended(session: ClientHttp2Session, path: string, body: Buffer, token: string): Promise<void> {
  const headers = { ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers" };
  return new Promise((resolve, reject) => {
    const stream = session.request({ ...headers, authorization: `Bearer ${token}` });
    stream.setTimeout(RESPONSE_TIMEOUT_MS, () => {
      reject(new Error(`${path} didn't respond within ${RESPONSE_TIMEOUT_MS} ms`));
      stream.destroy();
    });
    stream.on("error", () => {});
    stream.on("close", () => resolve());
    stream.resume().end(body);
  });
}
