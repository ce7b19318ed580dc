import { expect } from "chai";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { GRANT, readAll } from "../testing/small-app.ts";
import {
  CLOSE,
  get,
  nextResponse,
  slowLocator,
  startFastApp,
  statuses,
  TARGET,
  TIMEOUT_MS,
} from "./testing/fast-app.ts";

describe("the fast path", () => {
  let app: Awaited<ReturnType<typeof startFastApp>>;
  const start = async (options?: Parameters<typeof startFastApp>[0]) => {
    app = await startFastApp(options);
  };
  afterEach(() => app[Symbol.asyncDispose]());

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
        expect(app.fast).to.deep.equal([true, false]);
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
    expect(app.fast).to.deep.equal(new Array(5).fill(true));
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
      [get(TARGET), 200],
    ] as const) {
      socket.write(request);
      expect(await nextResponse(socket)).to.match(new RegExp(`^HTTP/1\\.1 ${status}`));
    }
    socket.write(`HEAD ${TARGET} HTTP/1.1\r\nHost: a\r\n${CLOSE}\r\n\r\n`);
    expect(await readAll(socket)).to.match(/^HTTP\/1\.1 200[^{]*$/);
    expect(app.fast).to.deep.equal([true, true, false, false]);
  });

  for (const [what, second, isFast] of [
    ["several requests at once, up to the first for Node", get("/"), true],
    ["a long head, which is for Node, and what is behind it", get(TARGET, `X-Long: ${"a".repeat(10_000)}`), false],
  ] as const)
    it(`serves ${what}`, async () => {
      await start();
      const responses = await readAll(await app.open(get(TARGET) + second + get(TARGET, CLOSE)));
      expect(statuses(responses)).to.deep.equal(new Array(3).fill("HTTP/1.1 200"));
      expect(app.fast).to.deep.equal([true, isFast, false]);
    });

  it("serves a request that arrives in parts", async () => {
    await start();
    const socket = await app.open(get(TARGET).slice(0, 30));
    await waitFor("the first part", () => app.server.listenerCount("connection") > 0, TIMEOUT_MS);
    setTimeout(() => socket.write(get(TARGET, CLOSE).slice(30)), 20);
    expect(statuses(await readAll(socket))).to.deep.equal(["HTTP/1.1 200"]);
  });
});
