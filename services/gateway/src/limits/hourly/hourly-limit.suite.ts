import { expect } from "chai";
import { HOUR_MS, type HourlyDecision, type HourlyLimit, type KeyHours } from "./hourly-limit.ts";

const LIMIT = 60;

/** A store of counts, initially empty. */
export interface LimitStore {
  /** Opens the limits of all gateways of the store, sharing the same counts. */
  open(limit: number): Promise<HourlyLimit[]>;
  nowMs(): number;
  /** Makes open hours end early. A gateway learns the new end with its next admitted request. */
  shortenHours(): Promise<void>;
  /** Waits until the shortened hours have ended. */
  hoursOver(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The conformance suite for all stores of the hourly limit. */
export function hourlyLimitSuite(title: string, createStore: () => Promise<LimitStore>): void {
  describe(`${title} as an hourly limit`, () => {
    let store: LimitStore;
    let gateways: HourlyLimit[];
    beforeEach(async () => {
      store = await createStore();
      gateways = await store.open(LIMIT);
    });
    afterEach(() => store[Symbol.asyncDispose]());

    /** Sends concurrent requests, to the gateways in turn. */
    const burst = (
      count: number,
      ip: string | ((index: number) => string),
      key?: KeyHours,
    ): Promise<HourlyDecision[]> =>
      Promise.all(
        Array.from({ length: count }, async (_, index) =>
          gateway(index).take(typeof ip === "string" ? ip : ip(index), key),
        ),
      );
    const gateway = (index: number) => gateways[index % gateways.length] as HourlyLimit;
    const admitted = (decisions: readonly HourlyDecision[]) => decisions.filter((one) => one.admitted);

    it("admits exactly the limit out of many concurrent requests, and reports what remains", async () => {
      const decisions = await burst(100, "192.0.2.7");
      const left = admitted(decisions).map(({ remaining }) => remaining);
      expect(left.sort((a, b) => a - b)).to.deep.equal(Array.from({ length: LIMIT }, (_, index) => index));
      for (const { admitted, remaining } of decisions) if (!admitted) expect(remaining).to.equal(0);
      expect(admitted(await burst(10, "192.0.2.7"))).to.have.length(0);
    });

    it("counts sequential requests", async () => {
      const left: number[] = [];
      for (let index = 0; index < 5; index += 1) left.push((await gateway(index).take("192.0.2.7")).remaining);
      expect(left).to.deep.equal([59, 58, 57, 56, 55]);
    });

    it("opens the hour at the first request, and reports the same end each time", async () => {
      const beforeMs = store.nowMs();
      const first = await gateway(0).take("192.0.2.7");
      expect(first.resetUnixSeconds).to.be.within(
        Math.ceil((beforeMs + HOUR_MS) / 1000),
        Math.ceil((store.nowMs() + HOUR_MS) / 1000),
      );
      const resets = new Set((await burst(100, "192.0.2.7")).map(({ resetUnixSeconds }) => resetUnixSeconds));
      expect([...resets]).to.deep.equal([first.resetUnixSeconds]);
    });

    it("has one hour per IPv4 address and IPv6 /64", async () => {
      expect(admitted(await burst(200, (index) => `198.51.100.${index}`))).to.have.length(200);
      expect(admitted(await burst(100, (index) => `2001:db8:1:2::${index.toString(16)}`))).to.have.length(LIMIT);
      expect((await gateway(0).take("2001:db8:1:3::1")).remaining).to.equal(59);
    });

    it("has one hour per IPv4 address that NAT64, 6to4 or Teredo addresses embed", async () => {
      expect(admitted(await burst(200, (index) => `64:ff9b::c633:64${(index + 16).toString(16)}`))).to.have.length(200);
      const same = ["192.0.2.7", "64:ff9b::c000:207", "2002:c000:207:1::1", "2001:0:4136:e378:8000:63bf:3fff:fdf8"];
      expect(admitted(await burst(100, (index) => same[index % 4] as string))).to.have.length(LIMIT);
    });

    it("opens a new hour after the old one, unaffected by refused requests", async () => {
      const { resetUnixSeconds } = await gateway(0).take("192.0.2.7");
      await store.shortenHours();
      expect(admitted(await burst(gateways.length, "192.0.2.7"))).to.have.length(gateways.length);
      expect(admitted(await burst(200, "192.0.2.7"))).to.have.length(LIMIT - 1 - gateways.length);
      await store.hoursOver();
      const fresh = await gateway(1).take("192.0.2.7");
      expect(fresh.remaining).to.equal(59);
      expect(fresh.resetUnixSeconds).to.be.greaterThan(resetUnixSeconds);
      expect(admitted(await burst(100, "192.0.2.7"))).to.have.length(59);
    });

    it("has one hour per caller of a key, with the key's limit", async () => {
      const key = { keyId: "key_a", limit: 20 };
      const decisions = await burst(50, "192.0.2.7", key);
      const left = admitted(decisions).map(({ remaining }) => remaining);
      expect(left.sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 20 }, (_, index) => index));
      expect(new Set(decisions.map(({ resetUnixSeconds }) => resetUnixSeconds)).size).to.equal(1);
      expect((await gateway(0).take("192.0.2.8", key)).remaining, "another caller").to.equal(19);
      expect((await gateway(0).take("192.0.2.7", { ...key, keyId: "key_b" })).remaining, "another key").to.equal(19);
      expect((await gateway(0).take("192.0.2.7")).remaining, "no key").to.equal(59);
      expect(admitted(await burst(10, "192.0.2.7", key))).to.have.length(0);
    });

    it("decides on hours with different limits concurrently", async () => {
      const keys = [3, 50, 1, 7, 20].map((limit) => ({ keyId: `key_${limit}`, limit }));
      const found = await Promise.all(
        keys.map(async (key) => admitted(await burst(30, (index) => `192.0.2.${index % 2}`, key)).length),
      );
      expect(found).to.deep.equal([6, 30, 2, 14, 30]);
      expect(admitted(await burst(100, "192.0.2.1"))).to.have.length(LIMIT);
    });

    it("counts the callers of a key by IPv6 /64", async () => {
      const key = { keyId: "key_a", limit: 20 };
      const inNetwork = (network: number) => (index: number) => `2001:db8:1:${network}::${(index + 1).toString(16)}`;
      expect(admitted(await burst(50, inNetwork(2), key))).to.have.length(20);
      expect(admitted(await burst(50, inNetwork(3), key))).to.have.length(20);
    });

    it("applies a key's changed limit immediately, and keeps what was used", async () => {
      const limited = (limit: number) => ({ keyId: "key_a", limit });
      expect(admitted(await burst(30, "192.0.2.7", limited(20)))).to.have.length(20);
      // Each gateway counts one, and so learns the others' counts.
      expect(admitted(await burst(gateways.length, "192.0.2.7", limited(40)))).to.have.length(gateways.length);
      expect(admitted(await burst(5, "192.0.2.7", limited(10)))).to.have.length(0);
      expect(admitted(await burst(50, "192.0.2.7", limited(40)))).to.have.length(20 - gateways.length);
    });

    it("admits nothing at a limit of 0", async () => {
      gateways = await store.open(0);
      for (const one of await burst(4, "192.0.2.7")) expect([one.admitted, one.remaining]).to.deep.equal([false, 0]);
    });
  });
}
