import { expect } from "chai";
import { expectRawError } from "../harness/expect-response.ts";
import { exchange, sendRaw } from "../harness/raw.ts";
import { onEveryDeployment } from "../harness/suite.ts";

const SMUGGLED = "GET /v1/geo HTTP/1.1\r\nHost: smuggled.test\r\n\r\n";

onEveryDeployment("contract: requests can't be smuggled past the docs host", (deployment) => {
  const request = (lines: readonly string[], body = "", target = "/errors/not_found") =>
    `GET ${target} HTTP/1.1\r\n${[`Host: ${deployment().docsHost}`, ...lines].join("\r\n")}\r\n\r\n${body}`;
  const statusesOf = async (bytes: string) => {
    const whole = await exchange(deployment().url, bytes);
    return whole.match(/^HTTP\/1\.1 \d{3}/gm)?.map((line) => Number(line.slice(-3))) ?? [];
  };

  for (const [what, lines, body] of [
    ["two lengths that differ", ["Content-Length: 0", `Content-Length: ${SMUGGLED.length}`], SMUGGLED],
    ["two lengths in one line", [`Content-Length: 0, ${SMUGGLED.length}`], SMUGGLED],
    ["a length and chunks", ["Content-Length: 5", "Transfer-Encoding: chunked"], `0\r\n\r\n${SMUGGLED}`],
    ["chunks and a length", ["Transfer-Encoding: chunked", "Content-Length: 5"], `0\r\n\r\n${SMUGGLED}`],
    ["an unknown coding after chunks", ["Transfer-Encoding: chunked, x"], `0\r\n\r\n${SMUGGLED}`],
    ["an invalid coding", ["Transfer-Encoding: xchunked", "Content-Length: 5"], `0\r\n\r\n${SMUGGLED}`],
    ["a coding with a vertical tab", ["Transfer-Encoding: \u000bchunked", "Content-Length: 5"], `0\r\n\r\n${SMUGGLED}`],
    ["a space before a colon", ["Transfer-Encoding : chunked", "Content-Length: 5"], `0\r\n\r\n${SMUGGLED}`],
    ["a length with a sign", ["Content-Length: +5"], SMUGGLED],
    ["a length in hex", ["Content-Length: 0x5"], SMUGGLED],
    ["a length that is too large", [`Content-Length: ${"9".repeat(30)}`], SMUGGLED],
    ["a NUL in a header", ["X-A: a\u0000b"], SMUGGLED],
    ["a second Host", ["Host: smuggled.test"], SMUGGLED],
    ["a bare CR between headers", ["X-A: a\rHost: smuggled.test"], SMUGGLED],
    ["headers of 20 kB", [`X-Long: ${"a".repeat(20_000)}`], ""],
  ] as const)
    it(`${what}: refused, and the bytes after it get no response`, async () => {
      const bytes = request(lines, body);
      expectRawError(await sendRaw(deployment().url, bytes), "not_found", deployment());
      expect(await statusesOf(bytes)).to.deep.equal([404]);
    });

  it("a folded header is refused or is one header, and sets no Host", async () => {
    const bytes = request(["X-A: a", " Host: smuggled.test", "Connection: close"]);
    const [status, ...more] = await statusesOf(bytes);
    expect(status).to.be.oneOf([200, 404]);
    expect(more).to.be.empty;
  });

  it("a body that looks like a request is a body", async () => {
    const length = `Content-Length: ${SMUGGLED.length}`;
    expect(await statusesOf(request([length, "Connection: close"], SMUGGLED))).to.deep.equal([200]);
    const chunked = `${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`;
    expect(await statusesOf(request(["Transfer-Encoding: chunked", "Connection: close"], chunked))).to.deep.equal([
      200,
    ]);
  });

  it("the rest of a truncated chunk isn't part of the next request", async () => {
    const broken = request(["Transfer-Encoding: chunked"], `zz\r\n${SMUGGLED}`);
    expect(await statusesOf(broken)).to.have.length.at.most(1);
    expect(await statusesOf(request(["Connection: close"]))).to.deep.equal([200]);
  });

  for (const [what, ...lines] of [
    ["a WebSocket", "Upgrade: websocket", "Connection: close, Upgrade", "Sec-WebSocket-Version: 13"],
    ["HTTP/2", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__", "Connection: close, Upgrade, HTTP2-Settings"],
  ] as const)
    it(`an upgrade to ${what} is ignored`, async () => {
      expect(await statusesOf(request(lines, ""))).to.deep.equal([200]);
    });

  it("Connection can't remove headers that decide where a request goes", async () => {
    const lines = ["Connection: close, Host, Accept-Encoding, Content-Length"];
    expect(await statusesOf(request(lines))).to.deep.equal([200]);
    expect(await statusesOf(request(lines, "", "/v1/geo"))).to.deep.equal([404]);
  });
});
