import fc, { type Arbitrary } from "fast-check";
import { mutated } from "../mutations.ts";

/** Placeholders for a valid key and for an address that no other request uses. */
export const KEY = "{key}";
export const ADDRESS = "{ip}";

const METHODS = ["GET", "GET", "GET", "OPTIONS", "POST", "PUT", "DELETE", "get", "G@T", "CONNECT", "PRI", ""];
const TARGETS = [
  ...[`/v1/geo?key=${KEY}`, `/v1/geo?key=${KEY}`, `/?key=${KEY}&fields=country`, "/v1/geo", "/", "*", "/v1/geo?key="],
  ...[
    "/v1/geo?key=geo_sk_x",
    "/nowhere",
    "/%zz",
    "//",
    "http://a/v1/geo",
    "a:443",
    "/v1/geo#x",
    `/${"a".repeat(20_000)}`,
  ],
];
const VERSIONS = ["HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/9.9", "http/1.1", ""];
const LINE_ENDS = ["\r\n", "\r\n", "\r\n", "\n", "\r", "\r\n\r\n"];
const HEADERS = [
  ...["Host: a", "Host: a", "Host:", "host: b", "Connection: close", "Connection: keep-alive", "Connection: Upgrade"],
  ...[
    "Upgrade: websocket",
    "Upgrade: h2c",
    "Expect: 100-continue",
    "Expect: x",
    "Content-Length: 0",
    "Content-Length: 5",
  ],
  ...[
    "Content-Length: -1",
    "Content-Length: 5, 5",
    "Content-Length: 99999999999999999999",
    "Transfer-Encoding: chunked",
  ],
  ...["Transfer-Encoding: gzip", "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: identity", "Trailer: X-A"],
  ...[
    "Transfer-Encoding : chunked",
    " folded",
    "X-A: \x00",
    "X-A",
    ": x",
    `X-Long: ${"a".repeat(15_000)}`,
    "TE: trailers",
  ],
  ...[
    `Authorization: Bearer ${KEY}`,
    `X-API-Key: ${KEY}`,
    "Origin: null",
    "Origin: https://a.example",
    "Range: bytes=0-1",
  ],
];
const BODIES = [
  "",
  "",
  "",
  "hello",
  "5\r\nhello\r\n0\r\n\r\n",
  "zz\r\n",
  "0\r\nX-A: b\r\n\r\n",
  "FFFFFFFFF\r\n",
  "0\r\n\r\n",
  "5;x=y\r\nhello",
];

/** Single GET requests with headers of every kind, some of them corrupted. */
export function requestInputs(corpus: readonly Uint8Array[]): Arbitrary<Uint8Array> {
  const one = fc
    .tuple(fc.constantFrom(...TARGETS), fc.array(fc.constantFrom(...HEADERS), { maxLength: 4 }))
    .map(([target, headers]) => Buffer.from(request(["GET", target, "HTTP/1.1"], headers, "\r\n", ""), "latin1"));
  const harmless = ["Accept: */*", "Referer: https://a.example/b?c", "Cookie: a=b; c=d", "Connection: keep-alive"];
  const seeds = [[], harmless].map((headers) =>
    Buffer.from(request(["GET", "/v1/geo?key=a&fields=city", "HTTP/1.1"], headers, "\r\n", ""), "latin1"),
  );
  return fc.oneof(one, mutated([...seeds, ...corpus], HEADERS));
}

/** Valid and invalid requests of every kind, several on one connection, some of them corrupted. */
export function httpInputs(corpus: readonly Uint8Array[]): Arbitrary<Uint8Array> {
  const of = (texts: readonly string[]) => fc.constantFrom(...texts);
  const good = fc
    .array(of(["Connection: keep-alive", "Origin: https://a.example", "Content-Length: 0"]), { maxLength: 2 })
    .map((headers) => request(["GET", `/v1/geo?key=${KEY}`, "HTTP/1.1"], headers, "\r\n", ""));
  const any = fc
    .tuple(
      fc.tuple(of(METHODS), of(TARGETS), of(VERSIONS)),
      fc.array(of(HEADERS), { maxLength: 4 }),
      of(LINE_ENDS),
      of(BODIES),
    )
    .map(([line, headers, lineEnd, body]) => request(line, headers, lineEnd, body));
  const connection = fc
    .array(fc.oneof(good, any), { minLength: 1, maxLength: 5 })
    .map((all) => Buffer.from(all.join(""), "latin1"));
  const seed = Buffer.from(request(["GET", `/v1/geo?key=${KEY}`, "HTTP/1.1"], [], "\r\n", "").repeat(2), "latin1");
  return fc.oneof({ weight: 3, arbitrary: connection }, { weight: 1, arbitrary: mutated([seed, ...corpus], HEADERS) });
}

function request(line: readonly string[], headers: readonly string[], lineEnd: string, body: string): string {
  return `${[line.join(" "), "Host: a", `X-Forwarded-For: ${ADDRESS}`, ...headers, "", ""].join(lineEnd)}${body}`;
}
