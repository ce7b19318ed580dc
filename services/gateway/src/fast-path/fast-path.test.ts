import { once } from "node:events";
import { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { UNKNOWN_TEXT } from "@geolookup/shared/domain/record-text.ts";
import { expect } from "chai";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { GRANT, KEY, readAll, startSmallApp } from "../testing/small-app.ts";

const get = (target: string, ...lines: string[]) =>
  [`GET ${target} HTTP/1.1`, "Host: a", ...lines, "", ""].join("\r\n");
const TARGET = `/v1/geo?key=${KEY}`;
const CLOSE = "Connection: close";
const TIMEOUT_MS = 20_000;

describe("the fast path", () => {
  type Options = NonNullable<Parameters<typeof startSmallApp>[0]>;
  let app: Awaited<ReturnType<typeof startSmallApp>>;
  /** For each lookup, whether it came by the fast path. */
  let fast: boolean[];
  const start = async (options: Options = {}) => {
    fast = [];
    app = await startSmallApp({
      addressOf: (req) => {
        fast.push(!(req instanceof IncomingMessage));
        return "192.0.2.7";
      },
      ...options,
    });
  };
  afterEach(() => app[Symbol.asyncDispose]());

  /** A locator whose lookups take until `release` is called. */
  const slowLocator = () => {
    const released: (() => void)[] = [];
    const locate = () =>
      new Promise<{ record: typeof UNKNOWN_TEXT; reason: "not_found" }>((resolve) =>
        released.push(() => resolve({ record: UNKNOWN_TEXT, reason: "not_found" })),
      );
    return {
      locator: { locate },
      waiting: (count: number) => waitFor(`lookup ${count}`, () => released.length >= count, TIMEOUT_MS),
      release: () => released.shift()?.(),
    };
  };
  const statuses = (text: string) => text.match(/HTTP\/1\.1 \d{3}/g);
  const nextResponse = async (socket: Socket) => {
    const [chunk] = (await once(socket, "data")) as [Buffer];
    return chunk.toString("latin1");
  };

  describe("responds with the same bytes as Node's server", () => {
    const full = { admitted: false, remaining: 0, resetUnixSeconds: 60 };
    for (const [what, target, parts] of [
      ["a record", TARGET, {}],
      ["a record without a key, at the alias", "/", {}],
      ["fields with a notice", `${TARGET}&fields=country,town`, {}],
      ["an invalid key", "/v1/geo?key=a", {}],
      ["an empty key", "/v1/geo?key=", {}],
      ["an unknown key", TARGET, { authorizer: { authorize: () => ({ outcome: "unknown_key" as const }) } }],
      [
        "a refused origin",
        TARGET,
        {
          authorizer: {
            authorize: () => ({
              outcome: "origin_not_allowed" as const,
              refusedOrigin: "https://x.example",
              grant: GRANT,
            }),
          },
        },
      ],
      ["an hourly limit", "/v1/geo", { hourlyLimit: { limit: 60, take: () => full } }],
      [
        "a fault",
        TARGET,
        {
          authorizer: {
            authorize: () => {
              throw new Error("fault");
            },
          },
        },
      ],
    ] as const)
      it(what, async () => {
        await start({ parts });
        const responses: string[] = [];
        // A body, even an empty one, is for Node.
        for (const own of [[], ["Content-Length: 0"]]) {
          const socket = await app.open(get(target, "Origin: https://x.example", ...own));
          responses.push((await nextResponse(socket)).replace(/Date: [^\r]*/, "Date: now"));
        }
        expect(fast).to.deep.equal([true, false]);
        expect(responses[0])
          .to.equal(responses[1])
          .and.to.match(/^HTTP\/1\.1 \d{3} .*Connection: keep-alive/s);
      });

    it("a refusal beyond capacity", async () => {
      const slow = slowLocator();
      await start({ parts: { locator: slow.locator }, settings: { maxInFlight: 1 } });
      await app.open(get(TARGET));
      await slow.waiting(1);
      const sockets = await Promise.all([[], ["Content-Length: 0"]].map((own) => app.open(get(TARGET, ...own))));
      const [first, second] = await Promise.all(sockets.map(nextResponse));
      expect(first)
        .to.equal(second)
        .and.to.match(/^HTTP\/1\.1 500 .*Retry-After: 1\r\n/s);
    });
  });

  it("serves many requests of a connection", async () => {
    await start();
    const socket = await app.open("");
    for (let count = 0; count < 5; count += 1) {
      socket.write(get(TARGET));
      expect(await nextResponse(socket)).to.match(/^HTTP\/1\.1 200/);
    }
    expect(fast).to.deep.equal(new Array(5).fill(true));
    expect(app.counted()).to.equal(5);
  });

  it("leaves a connection to Node from the first other request on", async () => {
    await start();
    const socket = await app.open(get(TARGET));
    await nextResponse(socket);
    for (const [request, status] of [
      [get("/nowhere"), 404],
      [get(TARGET), 200],
      ["OPTIONS / HTTP/1.1\r\nHost: a\r\n\r\n", 204],
    ] as const) {
      socket.write(request);
      expect(await nextResponse(socket)).to.match(new RegExp(`^HTTP/1\\.1 ${status}`));
    }
    socket.write(`HEAD ${TARGET} HTTP/1.1\r\nHost: a\r\n${CLOSE}\r\n\r\n`);
    expect(await readAll(socket)).to.match(/^HTTP\/1\.1 200[^{]*$/);
    expect(fast).to.deep.equal([true, false, false]);
  });

  for (const [what, request] of Object.entries({
    "several requests at once": get(TARGET) + get("/") + get(TARGET, CLOSE),
    "a long head": get(TARGET) + get(TARGET, `X-Long: ${"a".repeat(10_000)}`) + get("/", CLOSE),
  }))
    it(`leaves to Node: ${what}`, async () => {
      await start();
      expect(statuses(await readAll(await app.open(request)))).to.deep.equal(new Array(3).fill("HTTP/1.1 200"));
      expect(fast).to.deep.equal([false, false, false]);
    });

  it("serves a request that arrives in parts", async () => {
    await start();
    const socket = await app.open(get(TARGET).slice(0, 30));
    await waitFor("the first part", () => app.server.listenerCount("connection") > 0, TIMEOUT_MS);
    setTimeout(() => socket.write(get(TARGET, CLOSE).slice(30)), 20);
    expect(statuses(await readAll(socket))).to.deep.equal(["HTTP/1.1 200"]);
  });

  for (const [what, later, expected] of [
    ["another request", get(TARGET, "X-Last: 1"), ["200", "200"]],
    ["two more requests", get(TARGET) + get(TARGET), ["200", "200", "200"]],
    ["another path", get("/nowhere"), ["200", "404"]],
    ["invalid bytes", "\x00\r\n\r\n", ["200", "404"]],
    ["part of a request", get(TARGET).slice(0, 20), ["200", "404"]],
  ] as const)
    it(`serves a request first, then ${what} that arrived meanwhile, although the client has closed its side`, async () => {
      const slow = slowLocator();
      await start({ parts: { locator: slow.locator } });
      const socket = await app.open(get(TARGET), { allowHalfOpen: true });
      await slow.waiting(1);
      socket.end(later, "latin1");
      setTimeout(slow.release, 50);
      const received = readAll(socket);
      for (let count = 1; count < expected.length; count += 1) setTimeout(slow.release, 50 + 50 * count);
      expect(statuses(await received)?.map((line) => line.slice(-3))).to.deep.equal(expected);
    });

  it("serves a request that arrived early after the one before it, although only one may be in flight", async () => {
    const slow = slowLocator();
    await start({ parts: { locator: slow.locator }, settings: { maxInFlight: 1 } });
    const [early, other] = [await app.open(get(TARGET)), await app.open("")];
    await slow.waiting(1);
    early.write(get(TARGET));
    other.write(get(TARGET));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const responses: string[] = [];
    for (const socket of [early, other]) socket.on("data", (chunk) => responses.push(...(statuses(`${chunk}`) ?? [])));
    await waitFor(
      "all responses",
      () => {
        slow.release();
        return responses.length === 3;
      },
      TIMEOUT_MS,
    );
    expect(new Set(responses)).to.deep.equal(new Set(["HTTP/1.1 200"]));
  });

  it("sends the response to a client that has closed its side, then closes", async () => {
    const slow = slowLocator();
    await start({ parts: { locator: slow.locator } });
    const socket = await app.open(get(TARGET), { allowHalfOpen: true });
    socket.end();
    await slow.waiting(1);
    setTimeout(slow.release, 50);
    expect(await readAll(socket)).to.match(/^HTTP\/1\.1 200.*Connection: close/s);
  });

  it("closes a connection that a client closes without a request", async () => {
    await start();
    const socket = await app.open("");
    socket.end();
    expect(await readAll(socket)).to.equal("");
  });

  it("doesn't count a request whose client has left", async () => {
    const slow = slowLocator();
    await start({ parts: { locator: slow.locator } });
    const socket = await app.open(get(TARGET));
    await slow.waiting(1);
    socket.resetAndDestroy();
    const isConnected = () => new Promise((resolve) => app.server.getConnections((_, count) => resolve(count > 0)));
    await waitFor("the connection to close", async () => !(await isConnected()), TIMEOUT_MS);
    slow.release();
    await waitFor("the request to end", () => app.inFlight() === 0, TIMEOUT_MS);
    expect(app.counted()).to.equal(0);
  });

  it("closes connections that have been idle for too long", async () => {
    await start();
    const socket = await app.open(get(TARGET));
    await nextResponse(socket);
    app.server.keepAliveTimeout = 1;
    await once(socket, "close");
    expect(fast).to.deep.equal([true]);
  }).timeout(TIMEOUT_MS);

  it("refuses connections that send nothing", async () => {
    await start();
    app.server.headersTimeout = 1;
    expect(await readAll(await app.open(""))).to.match(/^HTTP\/1\.1 404.*Connection: close.*not_found/s);
  }).timeout(TIMEOUT_MS);

  it("when the server closes, closes idle connections, completes requests, and serves a connection that hasn't sent one yet", async () => {
    const slow = slowLocator();
    await start({ parts: { locator: slow.locator } });
    const idle = await app.open(get(TARGET));
    await slow.waiting(1);
    slow.release();
    await nextResponse(idle);
    const busy = await app.open(get(TARGET));
    await slow.waiting(1);
    const fresh = await app.open("");
    await waitFor(
      "the last connection",
      () => new Promise<boolean>((resolve) => app.server.getConnections((_, count) => resolve(count === 3))),
      TIMEOUT_MS,
    );
    app.drain();
    app.server.close();
    expect(await readAll(idle)).to.equal("");
    fresh.write(get(TARGET));
    await slow.waiting(2);
    slow.release();
    slow.release();
    for (const socket of [busy, fresh]) expect(await readAll(socket)).to.match(/^HTTP\/1\.1 200.*Connection: close/s);
  });
});
