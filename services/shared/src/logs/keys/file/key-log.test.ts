import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { expect } from "chai";
import { pino } from "pino";
import { startError } from "../../../../../../test/harness/rejection.ts";
import { collector, describeKeyLog, keyEvent } from "../key-log.suite.ts";
import { openFileKeyLog } from "./key-log.ts";

const silent = pino({ level: "silent" });

describeKeyLog("file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "key-log-"));
  return {
    open: () => openFileKeyLog({ folder, log: silent }),
    writers: 1,
    remove: async () => rmSync(folder, { recursive: true }),
  };
});

/** A line as described by the format, written independently of the code under test. */
function line(sequence: number, event: object): string {
  const body = `"sequence":${sequence},"event":${JSON.stringify(event)}}`;
  return `{"crc32":"${crc32(body).toString(16).padStart(8, "0")}",${body}\n`;
}
const HEADER = '{"format":"geolookup key log","version":1}\n';

describe("the key log's file", () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "key-log-"));
    path = join(folder, "events.jsonl");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const sequences = async () => {
    const messages: string[] = [];
    const log = pino({ base: null }, { write: (text: string) => void messages.push(JSON.parse(text).msg) });
    const keyLog = await openFileKeyLog({ folder, log });
    const { received, follower } = collector();
    await keyLog.follow(follower);
    const found = [...received.sequences];
    const next = await keyLog.append(keyEvent(randomUUID(), 1));
    await keyLog[Symbol.asyncDispose]();
    return { found, next, messages };
  };

  it("has JSON lines, and is readable only by its owner", async () => {
    const log = await openFileKeyLog({ folder, log: silent });
    const event = keyEvent("a", 1, "é");
    await log.append(event);
    await log[Symbol.asyncDispose]();
    expect(readFileSync(path, "utf8")).to.equal(HEADER + line(1, event));
    expect(JSON.parse(readFileSync(path, "utf8").split("\n")[1] ?? "").event).to.deep.equal(event);
    expect(statSync(path).mode & 0o777).to.equal(0o600);
  });

  it("is locked by one process at a time", async () => {
    const log = await openFileKeyLog({ folder, log: silent });
    expect(await startError(() => openFileKeyLog({ folder, log: silent }))).to.match(/in use by another/);
    await log[Symbol.asyncDispose]();
    await (await openFileKeyLog({ folder, log: silent }))[Symbol.asyncDispose]();
  });

  describe("after a crash", () => {
    const first = line(1, keyEvent("a", 1, "日本"));
    const second = line(2, keyEvent("a", 2, "日本"));
    const bytes = Buffer.from(HEADER + first + second);
    const wholeBytes = Buffer.byteLength(HEADER + first);

    it("is repaired wherever its last line was truncated", async () => {
      const lengths = [wholeBytes + 1, bytes.length - 2, bytes.length - 1];
      for (let length = wholeBytes + 2; length < bytes.length; length += 11) lengths.push(length);
      for (const length of lengths) {
        writeFileSync(path, bytes.subarray(0, length));
        const whole = length === bytes.length - 1;
        const { found, next, messages } = await sequences();
        expect(found, `cut at ${length}`).to.deep.equal(whole ? [1, 2] : [1]);
        expect(next).to.equal(whole ? 3 : 2);
        expect(messages).to.have.length(1);
        expect(messages[0]).to.match(whole ? /last line without newline kept/ : /incomplete last line removed/);
        expect((await sequences()).messages, "repaired once").to.deep.equal([]);
      }
    });

    it("is repaired when zero bytes fill the last line", async () => {
      writeFileSync(path, Buffer.concat([bytes.subarray(0, wholeBytes + 40), Buffer.alloc(4096)]));
      expect((await sequences()).found).to.deep.equal([1]);
      expect(readFileSync(path).includes(0)).to.equal(false);
    });

    it("starts over if its creation was interrupted", async () => {
      for (const text of ["", HEADER.slice(0, 10), HEADER.trimEnd(), "\0\0\0", `${HEADER.slice(0, 5)}\0\0`]) {
        writeFileSync(path, text);
        expect((await sequences()).next, JSON.stringify(text)).to.equal(1);
      }
    });
  });

  describe("with other damage prevents startup with an error that names the line, and is left unchanged:", () => {
    const a1 = keyEvent("a", 1);
    const a2 = keyEvent("a", 2);
    const good = HEADER + line(1, a1) + line(2, a2);
    const flip = (text: string, from: string, to: string) => {
      expect(text).to.include(from);
      return text.replace(from, to);
    };
    const cases: [what: string, text: string, named: RegExp][] = [
      ["a file that is not a key log", "hello\n", /line 1: .*format/],
      ["a file that is not a key log, without a newline", "hello", /line 1: .*format/],
      ["another format version", flip(good, '"version":1', '"version":2'), /line 1: .*format/],
      ["an empty line", `${HEADER}\n${line(1, a1)}`, /line 2: .*checksum/],
      ["a changed letter in the middle", flip(good, "example.com", "examplE.com"), /line 2: .*checksum/],
      [
        "a changed letter in the last whole line",
        flip(good, "KeyLabelChanged", "KeyLabelchanged"),
        /line 3: .*checksum/,
      ],
      ["a changed checksum", flip(good, '{"crc32":"', '{"crc32":"0'), /line 2: .*checksum/],
      [
        "a truncated line in the middle of the file",
        HEADER + line(1, a1).slice(0, 60) + line(2, a2),
        /line 2: .*checksum/,
      ],
      ["zero bytes in the middle", `${HEADER + line(1, a1)}\0\0\0\n${line(2, a2)}`, /line 3: .*checksum/],
      ["a line removed", HEADER + line(1, a1) + line(3, keyEvent("b", 1)), /line 3: .*sequence is 3 instead of 2/],
      ["a line repeated", good + line(2, a2), /line 4: .*sequence is 2 instead of 3/],
      ["a missing version", HEADER + line(1, a1) + line(2, keyEvent("a", 3)), /line 3: .*version 3 .*instead of 2/],
      ["a duplicate version", good + line(3, keyEvent("a", 2)), /line 4: .*version 2 .*instead of 3/],
      [
        "a key that was never issued",
        HEADER + line(1, { ...a2, version: 1 }),
        /line 2: .*KeyLabelChanged cannot be version 1/,
      ],
      [
        "a key issued twice",
        HEADER + line(1, a1) + line(2, { ...keyEvent("a", 1), version: 2 }),
        /line 3: .*KeyIssued cannot be version 2/,
      ],
      ["a duplicate id", HEADER + line(1, a1) + line(2, { ...keyEvent("b", 1), id: a1.id }), /line 3: .*occurs twice/],
      ["an event of an unknown type", HEADER + line(1, { ...a1, type: "KeyEaten" }), /line 2: not a key event/],
      [
        "the same without its newline",
        (HEADER + line(1, { ...a1, type: "KeyEaten" })).trimEnd(),
        /line 2: not a key event/,
      ],
      ["an event without data", HEADER + line(1, { ...a1, data: {} }), /line 2: not a key event: data/],
      ["a value that is not an event", HEADER + line(1, []), /line 2: not a key event/],
      ["an endless line", `${HEADER}${"x".repeat(3_000_000)}`, /line 1: .*longer/],
    ];
    for (const [what, text, named] of cases)
      it(what, async () => {
        writeFileSync(path, text);
        const message = await startError(() => openFileKeyLog({ folder, log: silent }));
        expect(message).to.include(path).and.to.match(named);
        expect(readFileSync(path, "utf8")).to.equal(text);
      });
  });

  it("cannot be a folder", async () => {
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "");
    expect(await startError(() => openFileKeyLog({ folder, log: silent }))).to.include(folder);
  });

  it("is read past its first megabyte, including lines across chunks", async () => {
    let text = HEADER;
    for (let i = 1; i <= 6_000; i++) text += line(i, keyEvent(`k${i}`, 1, `label ${i}`));
    expect(text.length).to.be.greaterThan(2 << 20);
    writeFileSync(path, text);
    const { found } = await sequences();
    expect(found).to.deep.equal(Array.from({ length: 6_000 }, (_, i) => i + 1));
  });

  it("rejects a follower if it is damaged later", async () => {
    const log = await openFileKeyLog({ folder, log: silent });
    await log.append(keyEvent("a", 1));
    truncateSync(path, HEADER.length + 10);
    const error = await log.follow(collector().follower).catch((reason: Error) => reason);
    expect(error).to.be.instanceOf(Error);
    await log[Symbol.asyncDispose]();
  });
});
