import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { type Breaker, createBreaker, startDeadline } from "./redis-failures.ts";

const TIMEOUT_MS = 20;

/** Blocks this process, as garbage collection or a busy machine may. */
function block(durationMs: number): void {
  const endMs = performance.now() + durationMs;
  while (performance.now() < endMs);
}

describe("startDeadline", () => {
  it("expires after the timeout", () => new Promise<void>((resolve) => void startDeadline(TIMEOUT_MS, resolve)));

  it("doesn't expire after it was met", async () => {
    let expired = false;
    const met = startDeadline(TIMEOUT_MS, () => {
      expired = true;
    });
    met();
    await delay(TIMEOUT_MS * 3);
    expect(expired).to.equal(false);
  });

  it("reads a response that arrived while this process was blocked", async () => {
    const server = createServer((socket) => socket.end("response")).listen(0, "127.0.0.1");
    await once(server, "listening");
    let outcome = "";
    const expired = new Promise<void>((resolve) => {
      const socket = connect((server.address() as AddressInfo).port, "127.0.0.1", () => {
        const met = startDeadline(TIMEOUT_MS, () => {
          outcome ||= "expired";
          resolve();
        });
        socket.once("data", () => {
          outcome ||= "met";
          met();
          resolve();
        });
        block(TIMEOUT_MS * 3);
      });
    });
    await expired;
    server.close();
    expect(outcome).to.equal("met");
  });

  it("waits for a response to what was sent late, since this process was blocked for almost all of the timeout", async () => {
    const longMs = 1_000;
    let expired = false;
    const met = startDeadline(longMs, () => {
      expired = true;
    });
    block(longMs - 5);
    await delay(longMs / 2);
    expect(expired).to.equal(false);
    met();
  });

  it("expires even if the process is blocked every time", async () => {
    const startMs = performance.now();
    let expired = false;
    startDeadline(TIMEOUT_MS, () => {
      expired = true;
    });
    while (!expired && performance.now() - startMs < 5_000) {
      block(TIMEOUT_MS * 2);
      await delay(0);
    }
    expect(expired).to.equal(true);
  });
});

describe("createBreaker", () => {
  let breaker: Breaker;
  let seen: string[];
  beforeEach(() => {
    seen = [];
    breaker = createBreaker({ onOpen: (reason) => seen.push(`open: ${reason}`), onClose: () => seen.push("closed") });
  });

  it("is open at first, and closes after the first success", () => {
    expect(breaker.isOpen()).to.equal(true);
    breaker.succeeded();
    breaker.succeeded();
    expect(breaker.isOpen()).to.equal(false);
    expect(seen).to.deep.equal(["closed"]);
  });
  it("opens after three consecutive failures", () => {
    breaker.succeeded();
    for (let index = 0; index < 2; index += 1) breaker.failed("slow");
    breaker.succeeded();
    for (let index = 0; index < 2; index += 1) breaker.failed("slow");
    expect(breaker.isOpen()).to.equal(false);
    breaker.failed("slow");
    expect(breaker.isOpen()).to.equal(true);
    expect(seen).to.deep.equal(["closed", "open: slow"]);
  });
  it("opens immediately when tripped", () => {
    breaker.succeeded();
    breaker.trip("gone");
    expect(breaker.isOpen()).to.equal(true);
  });
  it("reports each reason once while it is open, and again the next time", () => {
    for (const reason of ["gone", "gone", "refused", "gone"]) breaker.trip(reason);
    breaker.succeeded();
    breaker.trip("gone");
    expect(seen).to.deep.equal(["open: gone", "open: refused", "closed", "open: gone"]);
  });
});
