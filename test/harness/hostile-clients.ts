import { connect } from "node:net";
import { workerData } from "node:worker_threads";

/**
 * A worker thread with many hostile connections to `workerData.port`, of 15 kinds, which are opened at once and reopened a second after
 * the server has closed them.
 */
export interface HostileClients {
  port: number;
  docsHost: string;
  connections: number;
}

const REOPEN_MS = 1_000;
const DRIP_MS = 1_000;
const RESET_MS = 5;

interface Kind {
  /** Sent first. */
  text: string;
  /** Sent whenever something arrives. */
  again?: string;
  /** Sent once a second. */
  drip?: string;
  isReading?: false;
  isReset?: true;
}

const { port, docsHost, connections } = workerData as HostileClients;

const requestFor = (path: string, ...lines: string[]) =>
  `GET ${path} HTTP/1.1\r\n${["Host: a", ...lines].join("\r\n")}\r\n\r\n`;
const repeated = (text: string): Kind => ({ text, again: text });
const LOOKUP = requestFor("/v1/geo");

const KINDS: readonly Kind[] = [
  { text: "GET /v1/geo HTTP/1.1\r\nHost: a\r\nX-Slow: ", drip: "x" },
  { text: "GET /v1/geo HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n", drip: "x" },
  { text: LOOKUP.repeat(20), drip: LOOKUP.repeat(200), isReading: false },
  repeated(LOOKUP.repeat(50)),
  repeated("OPTIONS /v1/geo HTTP/1.1\r\nHost: a\r\nOrigin: https://a.example\r\n\r\n"),
  repeated(requestFor("/v1/geo?key=geo_sk_nonsense")),
  repeated(requestFor("/v1/geo", "Connection: Upgrade", "Upgrade: websocket").repeat(10)),
  repeated(`GET / HTTP/1.1\r\nHost: ${docsHost}\r\nAccept: text/html\r\n\r\n`),
  { text: "garbage\r\n\r\n" },
  { text: "GET /v1/geo HTTP/9.9\r\nHost: a\r\n\r\n" },
  { text: requestFor("/nowhere", `X-Long: ${"a".repeat(40_000)}`) },
  { text: requestFor("/v1/geo", ...new Array<string>(2_000).fill("a:")) },
  { text: "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n" },
  { text: "POST /v1/geo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" },
  { text: LOOKUP, isReset: true },
];

for (let index = 0; index < connections; index += 1) open(KINDS[index % KINDS.length] as Kind);

function open(kind: Kind): void {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  if (kind.isReading !== false) socket.on("data", () => kind.again !== undefined && socket.write(kind.again));
  let dripping: NodeJS.Timeout | undefined;
  socket.once("connect", () => {
    socket.write(kind.text);
    if (kind.isReset) setTimeout(() => socket.resetAndDestroy(), RESET_MS);
    if (kind.drip !== undefined)
      dripping = setInterval(() => socket.writableLength === 0 && socket.write(kind.drip ?? ""), DRIP_MS);
  });
  socket.once("close", () => {
    clearInterval(dripping);
    setTimeout(open, REOPEN_MS, kind);
  });
}
