import { createServer, type IncomingMessage } from "node:http";
import { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { SERVER_OPTIONS } from "@geolookup/gateway/connections/protect-server.ts";
import { parseRequest } from "@geolookup/gateway/fast-path/parse-request.ts";
import type { FuzzSubject } from "../fuzz.ts";
import { requestInputs } from "./http-inputs.ts";

/** Once these have been tried, the fast path must have accepted some. */
const ENOUGH_TRIED = 100;

/**
 * Whatever the fast path accepts, Node's parser reads in the same way: as one complete request without a body, which keeps its
 * connection.
 */
export function openFastPath(corpus: readonly Uint8Array[]): FuzzSubject {
  let read: { req: IncomingMessage; keepsConnection: boolean }[] = [];
  let failure: unknown = null;
  const server = createServer(SERVER_OPTIONS, (req, res) => {
    read.push({ req, keepsConnection: res.shouldKeepAlive });
  });
  server.on("clientError", (error) => {
    failure = error;
  });
  for (const event of ["upgrade", "connect", "checkContinue", "checkExpectation"])
    server.on(event, () => {
      failure = new Error(`Node emitted ${event}`);
    });
  let tried = 0;
  let accepted = 0;
  return {
    inputs: requestInputs(corpus),
    async check(input) {
      const text = Buffer.from(input).toString("latin1");
      tried += 1;
      const parsed = parseRequest(text);
      if (parsed === null) return;
      accepted += 1;
      read = [];
      failure = null;
      const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
      server.emit("connection", socket);
      socket.push(input);
      await nextTurn();
      socket.destroy();
      const [one, ...more] = read;
      if (failure !== null || one === undefined || more.length > 0)
        throw new Error(`Node read ${read.length} requests (${failure})`);
      const { req, keepsConnection } = one;
      if (req.method !== "GET" || !req.complete || !keepsConnection)
        throw new Error(`Node read ${req.method}, complete: ${req.complete}, keeps its connection: ${keepsConnection}`);
      const headers = Object.fromEntries(Object.keys(parsed.headers).map((name) => [name, req.headers[name]]));
      if (req.url !== parsed.url || !isDeepStrictEqual(headers, parsed.headers))
        throw new Error(`Node read ${req.url} ${JSON.stringify(headers)}, the fast path ${JSON.stringify(parsed)}`);
      for (const name of ["origin", "referer", "authorization", "x-api-key", "x-forwarded-for", "x-edge-token"])
        if (req.headers[name] !== undefined && !(name in parsed.headers)) throw new Error(`only Node read ${name}`);
    },
    async finish() {
      if (tried > ENOUGH_TRIED && accepted === 0) throw new Error(`none of ${tried} inputs was accepted`);
    },
  };
}
