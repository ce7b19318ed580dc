import { expect } from "chai";
import { expectRawError } from "../harness/expect-response.ts";
import { exchange, sendRaw } from "../harness/raw.ts";
import { onEveryDeployment } from "../harness/suite.ts";

const get = (...lines: string[]) => `${["GET /v1/geo HTTP/1.1", "Host: a", ...lines].join("\r\n")}\r\n\r\n`;

const REQUESTS: readonly (readonly [what: string, bytes: string])[] = [
  ["garbage", "garbage\r\n\r\n"],
  ["a TLS handshake", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003"],
  ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["NUL bytes", "\u0000\u0000\u0000\u0000\r\n\r\n"],
  ["a request line without target", "GET\r\n\r\n"],
  ["an unknown version", "GET /v1/geo HTTP/9.9\r\nHost: a\r\n\r\n"],
  ["another protocol", "GET /v1/geo SMTP/1.1\r\nHost: a\r\n\r\n"],
  ["a blank in the target", "GET /v1 /geo HTTP/1.1\r\nHost: a\r\n\r\n"],
  ["an unknown method", "FROBNICATE /v1/geo HTTP/1.1\r\nHost: a\r\n\r\n"],
  ["a method in lower case", "get /v1/geo HTTP/1.1\r\nHost: a\r\n\r\n"],
  ["an invalid method", "G@T /v1/geo HTTP/1.1\r\nHost: a\r\n\r\n"],
  ["CONNECT", "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n"],
  ["a header without colon", get("Broken header")],
  ["a blank in a header's name", get("Broken : header")],
  ["an empty header name", get(": header")],
  ["a NUL in a header's value", get("X-Broken: a\u0000b")],
  ["a bare CR in a header's value", get("X-Broken: a\rb")],
  ["a header of 20 kB", get(`X-Long: ${"a".repeat(20_000)}`)],
  ["headers of 40 kB in all", get(...Array.from({ length: 40 }, (_, index) => `X-Long-${index}: ${"a".repeat(1000)}`))],
  ["a target of 20 kB", `GET /${"a".repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
  ["a key of 20 kB", `GET /v1/geo?key=${"a".repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
  ["Expect: 100-continue", get("Expect: 100-continue")],
  ["any other Expect", get("Expect: the-unexpected")],
  ["two lengths that differ", get("Content-Length: 1", "Content-Length: 2")],
  ["two lengths in one line", get("Content-Length: 1, 2")],
  ["a length that isn't a number", get("Content-Length: many")],
  ["a negative length", get("Content-Length: -1")],
  ["a length and chunks", get("Content-Length: 3", "Transfer-Encoding: chunked")],
  ["chunks that are not last", get("Transfer-Encoding: chunked, identity")],
  ["no Host", "GET /v1/geo HTTP/1.1\r\n\r\n"],
  ["two Hosts", "GET /v1/geo HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
];

onEveryDeployment("contract: malformed HTTP", (deployment) => {
  for (const [what, bytes] of REQUESTS)
    it(`${what}: the JSON error shape with CORS, then close`, async () => {
      expectRawError(await sendRaw(deployment().url, bytes), "not_found", deployment());
    });

  it("bytes after a refused request get no response", async () => {
    const whole = await exchange(
      deployment().url,
      `${get("Content-Length: 3", "Transfer-Encoding: chunked")}0\r\n\r\n${get("Connection: close")}`,
    );
    expect(whole.match(/HTTP\/1\.1 \d{3}/g)).to.deep.equal(["HTTP/1.1 404"]);
  });

  it("an invalid chunk ends the connection, not the service", async () => {
    const whole = await exchange(deployment().url, `${get("Transfer-Encoding: chunked")}zz\r\nnonsense\r\n`);
    // The request itself may get a response. Nothing follows on its connection.
    expect(whole.match(/HTTP\/1\.1 \d{3}/g) ?? []).to.have.length.at.most(1);
    expect((await deployment().send()).status).to.equal(200);
  });

  it("serves HTTP/1.0 and kept-alive connections", async () => {
    const old = await sendRaw(deployment().url, "GET /v1/geo HTTP/1.0\r\nX-Forwarded-For: 44.0.77.1\r\n\r\n");
    expect(old.status).to.equal(200);
    expect(JSON.parse(old.body)).to.have.property("country", "US");
    const whole = await exchange(
      deployment().url,
      get("X-Forwarded-For: 44.0.77.2").repeat(3) + get("Connection: close"),
    );
    expect(whole.match(/HTTP\/1\.1 200/g)).to.have.length(4);
  });

  it("ignores a request to upgrade", async () => {
    const response = await sendRaw(
      deployment().url,
      get(
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        "Connection: close, Upgrade",
      ),
    );
    expect(response.status).to.equal(200);
  });
});
