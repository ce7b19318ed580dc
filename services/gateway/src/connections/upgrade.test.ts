import { once } from "node:events";
import { expect } from "chai";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { readAll, startSmallApp } from "../testing/small-app.ts";
import { GOOD, ones, statusesIn } from "./testing/raw-requests.ts";

const TIMEOUT_MS = 10_000;

describe("an Upgrade header is ignored", () => {
  let app: Awaited<ReturnType<typeof startSmallApp>>;
  beforeEach(async () => {
    app = await startSmallApp();
  });
  afterEach(() => app[Symbol.asyncDispose]());

  it("requests with it, and those behind, get responses", async () => {
    const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
    const socket = await app.open(
      `${GOOD}\r\n${GOOD}${upgrade}\r\n${GOOD}${upgrade}Content-Length: 3\r\n\r\nabc${GOOD}\r\n${GOOD}Connection: close\r\n\r\n`,
    );
    expect(statusesIn(await readAll(socket))).to.deep.equal(ones(5));
    expect(app.counted()).to.equal(5);
    const later = await app.open(`${GOOD}${upgrade}\r\n`);
    await once(later, "data");
    later.write(`${GOOD}Connection: close\r\n\r\n`);
    expect(statusesIn(await readAll(later))).to.deep.equal([200]);
  });

  it("so do those behind a request with it that waits for others", async () => {
    await app[Symbol.asyncDispose]();
    const counting = Promise.withResolvers<void>();
    app = await startSmallApp({ count: () => counting.promise });
    const upgrade = "Connection: Upgrade\r\nUpgrade: h2c\r\n";
    const socket = await app.open(`${GOOD}\r\n${GOOD}\r\n${GOOD}${upgrade}\r\n`, { allowHalfOpen: true });
    await waitFor("the request before", () => app.counted() === 1, TIMEOUT_MS);
    socket.end(`${GOOD}\r\n`.repeat(5));
    // A response to a later request means that the gateway has read these, too.
    expect((await fetch(`${app.url}/nowhere`)).status).to.equal(404);
    counting.resolve();
    expect(statusesIn(await readAll(socket))).to.deep.equal(ones(8));
    expect(app.counted()).to.equal(8);
  });

  it("a reset while such a request waits for others doesn't crash the process", async () => {
    const reset = await app.open(`${GOOD}\r\n${GOOD}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`);
    reset.resetAndDestroy();
    expect(statusesIn(await readAll(await app.open(`${GOOD}Connection: close\r\n\r\n`)))).to.deep.equal([200]);
  });
});
