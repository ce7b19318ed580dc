import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { tempFolder } from "../../test/harness/temp-folder.ts";
import { readKeySnapshot } from "./snapshot/key-messages.ts";
import { backUpAs01 } from "./testing/archive-of-0.1.ts";
import { sumArchive } from "./testing/sign-archive.ts";
import { type SmallCluster, smallCluster } from "./testing/small-cluster.ts";

describe("restoring a backup of version 0.1", () => {
  let cluster: SmallCluster;
  let folder: string;
  beforeEach(async () => {
    cluster = await smallCluster();
    folder = join(tempFolder(), "old");
    cluster.makeRing();
    await cluster.declareKeys();
  });
  afterEach(async () => {
    await cluster[Symbol.asyncDispose]();
  });
  const refused = (...args: string[]) =>
    cluster.restore(folder, ...args).then(
      () => "",
      (error: Error) => error.message,
    );

  it("needs --unauthenticated, warns, and restores every key from NATS's snapshot of many blocks", async () => {
    // More than fits into one of NATS's blocks.
    await cluster.issueMany(6_000);
    await cluster.count({ day: "2026-11-02", instanceId: "instance", shard: 0 }, new Map([["key0", 7]]));
    const before = await cluster.messagesOf("KEYS", 50);
    const state = (await cluster.jetStream.findStream("KEYS"))?.state;
    await backUpAs01(cluster, folder);
    await cluster.wipe();
    expect(await refused()).to.match(/can't be authenticated.*version 0.1.*--unauthenticated/);
    expect(await cluster.jetStream.findStream("USAGE")).to.equal(undefined);
    const printed = await cluster.restore(folder, "--unauthenticated");
    expect(printed)
      .to.match(/^WARNING: --unauthenticated/)
      .and.include("restored 6000 key events");
    expect(await cluster.messagesOf("KEYS", 50)).to.deep.equal(before);
    const restored = (await cluster.jetStream.findStream("KEYS"))?.state;
    expect([restored?.messages, restored?.last_seq]).to.deep.equal([state?.messages, state?.last_seq]);
    expect(await cluster.restore(folder, "--unauthenticated")).to.include("the stream already has all keys");
  }).timeout(60_000);

  it("refuses a damaged snapshot, and publishes nothing", async () => {
    await cluster.issue("keyA", "keyB");
    await backUpAs01(cluster, folder);
    await cluster.wipe();
    const path = join(folder, "keys.snapshot");
    const bytes = readFileSync(path);
    const length = (block: number[]) => Buffer.from([0, block.length + 4, 0, 0, 1, 2, 3, 4, ...block]);
    const tampered: [content: Buffer, says: RegExp][] = [
      [Buffer.from("no snapshot at all"), /it isn't an S2 stream/],
      [Buffer.alloc(0), /it is truncated/],
      [bytes.subarray(0, bytes.length - 9), /it is truncated/],
      [Buffer.concat([bytes.subarray(0, 10), length([255, 255, 255, 255, 15, 0])]), /a block is too large/],
      // One byte, then repeated copies of it: it expands 1,000 times.
      [Buffer.concat([bytes.subarray(0, 10), length([10, 0, 65, 1 + (7 << 2), 1, 255, 255, 255])]), /too far/],
      // A bomb: 4 MB of one byte in each 12 bytes.
      [
        Buffer.concat([
          bytes.subarray(0, 10),
          ...Array(200).fill(length([128, 128, 128, 2, 0, 65, 1, 1, 29, 0, 247, 255, 62])),
        ]),
        /more than 200 times/,
      ],
    ];
    for (const [content, says] of tampered) {
      writeFileSync(path, content);
      sumArchive(folder);
      expect(await refused("--unauthenticated")).to.match(says);
    }
    for (const name of ["KEYS", "USAGE"]) expect(await cluster.jetStream.findStream(name)).to.equal(undefined);
    // Whichever byte is changed, reading ends, with the two messages at most.
    for (let at = 0; at < bytes.length; at += 7) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 0x55;
      writeFileSync(path, flipped);
      expect(await countOrReason(path), `byte ${at}`).to.satisfy(
        (found: unknown) => typeof found === "string" || Number(found) <= 2,
      );
    }
  });
});

async function countOrReason(path: string): Promise<number | string> {
  let count = 0;
  try {
    for await (const _ of readKeySnapshot(path)) count += 1;
    return count;
  } catch (error) {
    return (error as Error).message;
  }
}
