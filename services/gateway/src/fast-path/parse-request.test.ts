import { expect } from "chai";
import { parseRequest } from "./parse-request.ts";

const get = (...lines: string[]) => ["GET /v1/geo?key=a HTTP/1.1", "Host: a", ...lines, "", ""].join("\r\n");

describe("parseRequest", () => {
  for (const [what, text, headers] of [
    ["the shortest request", get(), {}],
    [
      "headers that lookups read, in any case",
      get(
        "ORIGIN: https://a.example",
        "Referer:http://b/",
        "authorization: Bearer x",
        "X-Api-Key: y",
        "X-Forwarded-For: ::1",
        "X-Edge-Token: z",
      ),
      {
        origin: "https://a.example",
        referer: "http://b/",
        authorization: "Bearer x",
        "x-api-key": "y",
        "x-forwarded-for": "::1",
        "x-edge-token": "z",
      },
    ],
    ["other headers, which aren't kept", get("Accept: */*", "Cookie: a=b", "Sec-Fetch-Mode: cors", "X_Y: 1"), {}],
    ["blanks around a value", get("Origin: \t null\t "), { origin: "null" }],
    ["an empty value", get("Authorization:"), { authorization: "" }],
    ["a connection that is kept", get("connection: Keep-Alive", "Keep-Alive: timeout=5"), {}],
    ["a colon in a value", get("Referer: http://a:1/"), { referer: "http://a:1/" }],
    ["other headers that occur twice", get("Accept: a", "Accept: b"), {}],
    ["1,000 headers", get(...new Array<string>(999).fill("a:")), {}],
    ["a name like Object's", get("__proto__: 1", "constructor: 2"), {}],
  ] as const)
    it(`accepts ${what}`, () =>
      expect(parseRequest(text)).to.deep.equal({ url: "/v1/geo?key=a", headers: { host: "a", ...headers } }));

  it("keeps the target as it is", () => {
    for (const target of ["/", "/v1/geo", "//", "/%zz", `/${'!"$&()*+,;<=>@[]^_`{|}~\\'}?a=?/:`])
      expect(parseRequest(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`)?.url).to.equal(target);
  });

  for (const [what, text] of [
    ["nothing", ""],
    ["another method", get().replace("GET", "HEAD")],
    ["a method in lower case", get().replace("GET", "get")],
    ["HTTP/1.0", get().replace("1.1", "1.0")],
    ["a target in absolute form", get().replace(" /", " http://a/")],
    ["a fragment", get().replace("=a", "=a#b")],
    ["a blank in the target", get().replace("=a", "=a b")],
    ["two blanks before the target", get().replace(" /", "  /")],
    ["bytes beyond ASCII in the target", get().replace("=a", "=\xe4")],
    ["bytes beyond ASCII in a value", get("X-A: \xe4")],
    ["a control character in a value", get("X-A: \x00")],
    ["no Host", "GET / HTTP/1.1\r\nAccept: a\r\n\r\n"],
    ["no header", "GET / HTTP/1.1\r\n\r\n"],
    ["two Hosts", get("Host: a")],
    ["an incomplete head", get().slice(0, -2)],
    ["bytes after the head", `${get()}a`],
    ["two requests", get() + get()],
    ["an empty line first", `\r\n${get()}`],
    ["line breaks without CR", get().replaceAll("\r", "")],
    ["one line break without CR", get("X-A: b\nX-C: d")],
    ["a CR in a value", get("X-A: b\rc")],
    ["a folded header", get("X-A: b", " c")],
    ["a blank before the colon", get("X-A : b")],
    ["no colon", get("X-A")],
    ["no name", get(": b")],
    ["more than 8 kB", get(`X-A: ${"a".repeat(8_192)}`)],
    ["more than 1,000 headers", get(...new Array<string>(1_000).fill("a:"))],
    ["other characters in a name", get("X.A: b")],
    ["a length", get("Content-Length: 0")],
    ["chunks", get("transfer-encoding: chunked")],
    ["an expectation", get("Expect: 100-continue")],
    ["an upgrade", get("Upgrade: h2c")],
    ["a connection that closes", get("Connection: close")],
    ["a connection with more than one option", get("Connection: keep-alive, close")],
    ["the older name of Connection", get("Proxy-Connection: close")],
    ...["Origin", "Referer", "Authorization", "X-API-Key", "X-Forwarded-For", "X-Edge-Token"].map(
      (name) => [`${name} twice`, get(`${name}: a`, `${name.toLowerCase()}: a`)] as const,
    ),
  ] as const)
    it(`leaves to Node: ${what}`, () => expect(parseRequest(text)).to.equal(null));

  it("takes no longer for the longest input that almost matches", () => {
    const almost = get(`X-A: ${"\t ".repeat(4_000)}`);
    expect(parseRequest(almost)).to.not.equal(null);
    const startMs = performance.now();
    for (let round = 0; round < 100; round += 1) expect(parseRequest(`${almost}\x00`)).to.equal(null);
    // A pattern that backtracks would take minutes.
    expect(performance.now() - startMs).to.be.below(5_000);
  });
});
