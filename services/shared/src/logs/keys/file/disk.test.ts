import { constants, mkdtempSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { pino } from "pino";
import { collector, keyEvent } from "../key-log.suite.ts";
import { openFileKeyLog } from "./key-log.ts";

const silent = pino({ level: "silent" });

describe("the key log on a failing disk", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "key-log-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** A real file whose methods in `failing` fail; a failing write leaves half of its bytes. */
  const openFailing = (failing: Set<string>) => async (path: string) => {
    const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    return new Proxy(file, {
      get(target, name) {
        const method = Reflect.get(target, name);
        if (typeof method !== "function") return method;
        return async (...args: unknown[]) => {
          if (!failing.has(String(name))) return method.apply(target, args);
          if (name === "write") {
            const [bytes, , length, position] = args as [Buffer, number, number, number];
            await target.write(bytes, 0, Math.floor(length / 2), position);
          }
          throw new Error("ENOSPC: no space left on device");
        };
      },
    }) as FileHandle;
  };

  for (const broken of [["write"], ["datasync"], ["write", "truncate"], ["write", "datasync", "truncate"]])
    it(`fails clearly when ${broken.join(", ")} fail, stays intact and continues when they work again`, async () => {
      const failing = new Set<string>();
      const log = await openFileKeyLog({ folder, log: silent, openFile: openFailing(failing) });
      await log.append(keyEvent("a", 1));
      const live = collector();
      await log.follow(live.follower);
      for (const name of broken) failing.add(name);
      const results = await Promise.allSettled(
        [1, 2, 3].map((i) => log.append(keyEvent(`lost${i}`, 1, "long ".repeat(30)))),
      );
      for (const result of results)
        expect(result.status === "rejected" ? result.reason : result).to.include({ code: "unavailable" });
      expect((results[0] as PromiseRejectedResult).reason.message).to.match(/nothing was changed: ENOSPC/);
      failing.clear();
      expect(await log.append(keyEvent("b", 1))).to.equal(2);
      expect(live.received.events.map(({ keyId }) => keyId)).to.deep.equal(["a", "b"]);
      await log[Symbol.asyncDispose]();
      const again = await openFileKeyLog({ folder, log: silent });
      const { received, follower } = collector();
      await again.follow(follower);
      expect(received.events.map(({ keyId }) => keyId)).to.deep.equal(["a", "b"]);
      await again[Symbol.asyncDispose]();
    });

  for (const broken of [["write"], ["datasync"], ["write", "truncate"]])
    it(`contains nothing of a failed append if the process exits after ${broken.join(", ")} failed`, async () => {
      const failing = new Set<string>();
      const log = await openFileKeyLog({ folder, log: silent, openFile: openFailing(failing) });
      await log.append(keyEvent("a", 1));
      for (const name of broken) failing.add(name);
      expect(await log.append(keyEvent("lost", 1)).catch((error: Error) => error)).to.be.instanceOf(Error);
      failing.clear();
      await log[Symbol.asyncDispose]();
      const again = await openFileKeyLog({ folder, log: silent });
      const { received, follower } = collector();
      await again.follow(follower);
      expect(received.events.map(({ keyId }) => keyId)).to.deep.equal(["a"]);
      await again[Symbol.asyncDispose]();
    });
});
