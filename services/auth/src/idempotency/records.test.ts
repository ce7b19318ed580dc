import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { openNats } from "@geolookup/shared/runtime/nats/connection.ts";
import { expect } from "chai";
import { pino } from "pino";
import { startNatsServer } from "../../../../test/harness/nats-server.ts";
import { rejection } from "../../../../test/harness/rejection.ts";
import { tempFolder } from "../../../../test/harness/temp-folder.ts";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { fileRecords, type IdempotencyRecords, streamRecords } from "./records.ts";

const NAME = "ab".repeat(32);
const OTHER = "cd".repeat(32);
const DAY_MS = 86_400_000;
const log = pino({ level: "silent" });

function describeRecords(store: string, open: () => Promise<IdempotencyRecords>) {
  describe(`idempotency records in ${store}`, () => {
    it("returns what was put last, with its revision", async () => {
      const records = await open();
      expect(await records.get(NAME)).to.deep.equal({ json: "", revision: 0 });
      const first = await records.put(NAME, '{"a":1}', 0);
      const second = await records.put(NAME, '{"a":2}', first);
      expect(await records.get(NAME)).to.deep.equal({ json: '{"a":2}', revision: second });
      expect(await records.get(OTHER)).to.deep.equal({ json: "", revision: 0 });
    });

    it("lets one of several concurrent puts win", async () => {
      const records = await open();
      const puts = Array.from({ length: 20 }, (_, index) => records.put(OTHER, `{"a":${index}}`, 0));
      const results = await Promise.allSettled(puts);
      const won = results.filter(({ status }) => status === "fulfilled");
      expect(won).to.have.length(1);
      const winner = results.findIndex(({ status }) => status === "fulfilled");
      expect((await records.get(OTHER)).json).to.equal(`{"a":${winner}}`);
      for (const result of results)
        if (result.status === "rejected") expect((result.reason as ServiceError).code).to.equal("conflict");
    });
  });
}

describeRecords("files", async () => fileRecords(`${tempFolder()}/idempotency`, () => 0));

describe("idempotency records in files", () => {
  it("work again once their folder can be created", async () => {
    const parent = `${tempFolder()}/data`;
    writeFileSync(parent, "");
    const records = fileRecords(`${parent}/idempotency`, () => 0);
    expect(await rejection(records.get(NAME))).to.include({ code: "unavailable" });
    rmSync(parent);
    expect(await records.put(NAME, "{}", 0)).to.equal(1);
  });

  it("are kept over a restart, and for 24 hours", async () => {
    const folder = `${tempFolder()}/idempotency`;
    await fileRecords(folder, () => Date.now()).put(NAME, "{}", 0);
    let nowMs = Date.now();
    const restarted = fileRecords(folder, () => nowMs);
    expect((await restarted.get(NAME)).revision).to.equal(1);
    nowMs += DAY_MS - 60_000;
    expect((await restarted.get(NAME)).revision).to.equal(1);
    nowMs += 61_000;
    expect((await restarted.get(NAME)).revision).to.equal(0);
    expect(readdirSync(folder)).to.deep.equal([]);
  });
});

describe("idempotency records in NATS", () => {
  const opened = new AsyncDisposableStack();
  let server: Awaited<ReturnType<typeof startNatsServer>>;
  before(async () => {
    server = opened.use(await startNatsServer());
  });
  after(() => opened.disposeAsync());

  describeRecords("NATS", async () => {
    const nats = opened.use(openNats({ url: server.url, name: "auth", log }));
    await nats.connected();
    return streamRecords(nats, 1);
  });

  describe("that is killed", () => {
    it("are unavailable while NATS is", async () => {
      const nats = opened.use(openNats({ url: server.url, name: "auth", log }));
      await nats.connected();
      const records = streamRecords(nats, 1);
      await server.kill();
      await waitFor("the link is down", () => !nats.isUp(), 10_000);
      const error = await rejection(records.get(NAME));
      expect(error).to.be.instanceOf(ServiceError).with.property("code", "unavailable");
    });
  });
});
