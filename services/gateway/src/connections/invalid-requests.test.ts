import { once } from "node:events";
import type { Socket } from "node:net";
import { expect } from "chai";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { readAll, startSmallApp, testCertificate } from "../testing/small-app.ts";
import { GOOD, ones, statusesIn } from "./testing/raw-requests.ts";

const TIMEOUT_MS = 10_000;
const GARBAGE = "\x00\x01\x02\r\n\r\n";

describe("requests that aren't valid HTTP", () => {
  let app: Awaited<ReturnType<typeof startSmallApp>>;
  beforeEach(async () => {
    app = await startSmallApp();
  });
  afterEach(() => app[Symbol.asyncDispose]());

  const unreadable = async () => {
    const { values = [] } = (await app.registry.getSingleMetric("geolookup_requests_total")?.get()) ?? {};
    return values.filter(({ labels }) => labels.route === "unreadable").reduce((sum, { value }) => sum + value, 0);
  };

  for (const [name, request, says] of [
    ["garbage", GARBAGE, "known HTTP method"],
    ["an unknown method", "FOO /v1/geo HTTP/1.1\r\nHost: a\r\n\r\n", "known HTTP method"],
    ["a method in lower case", "get /v1/geo HTTP/1.1\r\nHost: a\r\n\r\n", "case-sensitive"],
    ["a bad header", "GET /v1/geo HTTP/1.1\r\nbad header: a\r\n\r\n", "isn't valid HTTP"],
    ["headers of 20 kB", `GET / HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(20_000)}\r\n\r\n`, "too large"],
    ["2,000 headers of 8 kB", `GET / HTTP/1.1\r\nHost: a\r\n${"a:\r\n".repeat(2_000)}\r\n`, "at most 1000"],
    ["Expect", "GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n", "`Expect`"],
    ["CONNECT", "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", "isn't a proxy"],
    ["two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "Host"],
  ] as const)
    it(`${name}: one error that names the problem, counted in the metrics, and the connection is closed`, async () => {
      const response = await readAll(await app.open(request));
      expect(statusesIn(response)).to.deep.equal([404]);
      expect(response).to.include('"code":"not_found"').and.include(says);
      expect(response)
        .to.include("Access-Control-Allow-Origin: *")
        .and.match(/\r\nDate: .* GMT\r\n/);
      await waitFor("the metric", async () => (await unreadable()) === 1, TIMEOUT_MS);
    });

  for (const [name, before, statuses] of [
    ["a HEAD request", "", [404]],
    ["a HEAD request behind an empty line", "\r\n", [404]],
    ["a HEAD request behind a good request", `${GOOD}\r\n`, [200, 404]],
  ] as const)
    it(`a bad header of ${name}: the error has no body`, async () => {
      const response = await readAll(await app.open(`${before}HEAD /v1/geo HTTP/1.1\r\nbad header: a\r\n\r\n`));
      expect(response).to.match(/\r\nContent-Length: [1-9]\d*\r\n(?:.+\r\n)*\r\n$/);
      expect(response.match(/HTTP\/1\.1 (\d+)/g)?.map((line) => Number(line.slice(-3)))).to.deep.equal(statuses);
    });

  it("a bad header of a GET request behind a HEAD request: the error has its body", async () => {
    const bad = "GET /v1/geo HTTP/1.1\r\nbad header: a\r\n\r\n";
    expect(await readAll(await app.open(`HEAD /nowhere HTTP/1.1\r\nHost: a\r\n\r\n${bad}`))).to.match(/\}$/);
  });

  /** Everything in one segment, after which the caller still reads. */
  const cases: readonly (readonly [name: string, sent: string, statuses: number[], counted: number])[] = [
    ["garbage behind a good request", `${GOOD}\r\n${GARBAGE}`, [200, 404], 1],
    [
      "garbage behind more requests than are served at once",
      `${`${GOOD}\r\n`.repeat(30)}${GARBAGE}`,
      [...ones(30), 404],
      30,
    ],
    ["a transfer coding that isn't supported", `${GOOD}Transfer-Encoding: gzip\r\n\r\n`, [404], 0],
    ["a bad chunk", `${GOOD}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`, [404], 0],
    [
      "a bad chunk of a request that waits for others",
      `${`${GOOD}\r\n`.repeat(20)}${GOOD}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`,
      [...ones(20), 404],
      20,
    ],
    [
      "a bad chunk of a preflight",
      "OPTIONS /v1/geo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
      [204],
      0,
    ],
    ["a length that isn't a number", `${GOOD}Content-Length: x\r\n\r\n`, [404], 0],
    [
      "a length and a transfer coding",
      `${GOOD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      [404],
      0,
    ],
    ["HTTP/2 behind a good request", `${GOOD}\r\nPRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`, [200, 404], 1],
    ["a request behind one of HTTP/2.0", `${GOOD}\r\nGET / HTTP/2.0\r\nHost: a\r\n\r\n${GOOD}\r\n`, [200, 200], 1],
    ["CONNECT behind a good request", `${GOOD}\r\nCONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n`, [200, 404], 1],
    ["a request behind Expect", `${GOOD}Expect: 100-continue\r\n\r\n${GOOD}\r\n`, [404], 0],
    ["a request behind two hosts", `${GOOD}Host: b\r\n\r\n${GOOD}\r\n`, [404], 0],
    ["garbage behind Connection: close", `${GOOD}Connection: close\r\n\r\n${GARBAGE}`, [200], 1],
    ["a request behind Connection: close", `${GOOD}Connection: close\r\n\r\n${GOOD}\r\n`, [200], 1],
  ];
  for (const [name, sent, statuses, counted] of cases)
    it(`${name}: ${statuses.length > 3 ? `${statuses.length} responses` : statuses.join(", ")}, ${counted} counted`, async () => {
      for (let times = 0; times < 5; times += 1)
        expect(statusesIn(await readAll(await app.open(sent)))).to.deep.equal(statuses);
      expect(app.counted()).to.equal(5 * counted);
    });

  for (const head of [
    "OPTIONS / HTTP/1.0\r\nConnection: keep-alive",
    "OPTIONS / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue",
  ])
    it(`requests behind a preflight aren't counted while its response is being sent with TLS: ${head.split("\r\n").at(-1)}`, async () => {
      await using secure = await startSmallApp({ settings: { certificate: testCertificate() } });
      expect(statusesIn(await readAll(await secure.open(`${head}\r\n\r\n${`${GOOD}\r\n`.repeat(8)}`)))).to.deep.equal([
        204,
      ]);
      expect(secure.counted()).to.equal(0);
    });

  it("a keyless request with a bad chunk isn't taken from its caller's hour", async () => {
    let taken = 0;
    const take = () => {
      taken += 1;
      return { admitted: true, remaining: 1, resetUnixSeconds: 0 };
    };
    await using keyless = await startSmallApp({ parts: { hourlyLimit: { limit: 60, take } } });
    const head = "GET /v1/geo HTTP/1.1\r\nHost: a\r\n";
    expect(
      statusesIn(await readAll(await keyless.open(`${head}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`))),
    ).to.deep.equal([404]);
    expect(taken).to.equal(0);
    expect(statusesIn(await readAll(await keyless.open(`${head}Connection: close\r\n\r\n`)))).to.deep.equal([200]);
    expect(taken).to.equal(1);
  });

  it("megabytes of garbage behind a good request: both responses arrive, however much the client still sends", async () => {
    for (let round = 0; round < 20; round += 1) {
      const socket = await app.open(`${GOOD}\r\nGET ${"garbage ".repeat(2_000_000)}`);
      expect(statusesIn(await readAll(socket))).to.deep.equal([200, 404]);
    }
    expect(app.counted()).to.equal(20);
  });

  it("a bad second chunk: one response, counted if it has the record", async () => {
    const text = await readAll(await app.open(`${GOOD}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\nZZ\r\n`));
    expect(statusesIn(text)).to.deep.equal(app.counted() === 1 ? [200] : [404]);
  });

  it("a bad body after the response closes the connection without a second response", async () => {
    const socket = await app.open(`${GOOD}Transfer-Encoding: chunked\r\n\r\n`);
    const [first] = (await once(socket, "data")) as [Buffer];
    socket.write("ZZ\r\n");
    expect(statusesIn(first.toString("latin1") + (await readAll(socket)))).to.deep.equal([200]);
    expect(app.counted()).to.equal(1);
  });

  it("a bad body after the request was counted lets the response finish", async () => {
    await app[Symbol.asyncDispose]();
    const counting = Promise.withResolvers<void>();
    const counted = Promise.withResolvers<void>();
    app = await startSmallApp({
      count: () => {
        counting.resolve();
        return counted.promise;
      },
    });
    const socket = await app.open(`${GOOD}Transfer-Encoding: chunked\r\n\r\n`);
    await counting.promise;
    socket.write("ZZ\r\n");
    // A response to a later request means that the gateway has read this one, too.
    expect((await fetch(`${app.url}/nowhere`)).status).to.equal(404);
    counted.resolve();
    expect(statusesIn(await readAll(socket))).to.deep.equal([200]);
  });

  it("a slow request gets a response; a slow body closes the connection without a second response", async () => {
    expect([app.server.headersTimeout, app.server.requestTimeout], "in production").to.deep.equal([10_000, 20_000]);
    app.server.headersTimeout = 50;
    app.server.requestTimeout = 100;
    const received = await Promise.all(
      ["", GOOD, `${GOOD}\r\n${GOOD}`, `${GOOD}Content-Length: 5\r\n\r\nab`].map(async (text) =>
        readAll(await app.open(text)),
      ),
    );
    expect(received.map(statusesIn)).to.deep.equal([[404], [404], [200, 404], [200]]);
    expect(received[1]).to.include("did not arrive in time");
    expect(app.counted()).to.equal(2);
  });

  it("a request that has arrived, and waits for its turn, isn't too slow", async () => {
    const accepted: Socket[] = [];
    app.server.on("connection", (socket: Socket) => accepted.push(socket));
    const sockets = [await app.open(""), await app.open("")];
    await waitFor("both connections", () => accepted.length === 2, TIMEOUT_MS);
    // Longer than requests start in one turn.
    app.server.prependListener("request", () => {
      for (const sinceMs = performance.now(); performance.now() - sinceMs < 50; );
    });
    const timeout = Object.assign(new Error("timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
    accepted[1]?.once("data", () => app.server.emit("clientError", timeout, accepted[1]));
    for (const socket of sockets) socket.write(`${GOOD}Connection: close\r\n\r\n`);
    const received = await Promise.all(sockets.map(readAll));
    expect(received.map(statusesIn)).to.deep.equal([[200], [200]]);
  });

  it("a reset tunnel doesn't crash the process", async () => {
    const reset = await app.open("CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n");
    reset.resetAndDestroy();
    expect(statusesIn(await readAll(await app.open(`${GOOD}Connection: close\r\n\r\n`)))).to.deep.equal([200]);
  });

  it("a half-open tunnel doesn't prevent the server from closing", async () => {
    const held = await app.open("CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", { allowHalfOpen: true });
    held.resume();
    await once(held, "end");
    app.server.close();
    await once(app.server, "close");
    app.server.listen(0, "127.0.0.1");
    await once(app.server, "listening");
  });
});
