import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { lockFolder } from "@geolookup/shared/runtime/files/folder-lock.ts";
import { expect } from "chai";
import { openJournalFolder } from "./journal-folder.ts";
import { createUsageFolders, quiet } from "./testing/usage-folders.ts";

describe("journal folders shared by gateways", () => {
  const context = { log: quiet, onDamaged: () => {} };
  let folders: ReturnType<typeof createUsageFolders>;
  let opened: DisposableStack;
  beforeEach(() => {
    folders = createUsageFolders();
    opened = new DisposableStack();
  });
  afterEach(() => {
    opened.dispose();
    folders.remove();
  });
  const open = async (isShared = true) => opened.use(await openJournalFolder(folders.journals, isShared, context));
  const leave = (folder: string, instanceId: string, text: string) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${instanceId}.1.journal`), text);
  };

  it("each gateway locks the first free folder", async () => {
    const [first, second, third] = [await open(), await open(), await open()];
    expect([first, second, third].map(({ folder }) => basename(folder))).to.deep.equal([
      "journals",
      "journals-2",
      "journals-3",
    ]);
    second[Symbol.dispose]();
    expect((await open()).folder).to.equal(second.folder);
    expect((await open()).folder).to.match(/journals-4$/);
  });

  it("a gateway that doesn't share waits for a predecessor that is ending", async () => {
    const predecessor = await open(false);
    const opening = open(false);
    expect(await Promise.race([opening, sleep(100, "waiting")])).to.equal("waiting");
    predecessor[Symbol.dispose]();
    expect((await opening).folder).to.equal(folders.journals);
  });

  it("finds abandoned journals under their instance IDs, and keeps their folders locked until they are discarded", async () => {
    leave(`${folders.journals}-2`, "crashed2", "2026-05-02 key1 7\n");
    leave(`${folders.journals}-5`, "crashed5", "2026-05-02 key1 2\n");
    const mine = await open();
    const journals = mine.findAbandoned();
    expect(journals.flatMap(({ entries }) => entries.map(({ subject }) => subject.instanceId)).sort()).to.deep.equal([
      "crashed2",
      "crashed5",
    ]);
    expect(mine.findAbandoned(), "they are in good hands already").to.deep.equal([]);
    expect((await open()).folder, "locked until then").to.match(/journals-3$/);
    for (const journal of journals) journal.discard();
    expect(readdirSync(`${folders.journals}-2`).filter((name) => name.endsWith(".journal"))).to.deep.equal([]);
    expect((await open()).folder, "free again").to.match(/journals-2$/);
  });

  it("ignores folders of running gateways and folders with other names", async () => {
    leave(`${folders.journals}-2`, "running", "2026-05-02 key1 7\n");
    opened.use(lockFolder(`${folders.journals}-2`));
    leave(`${folders.journals}-old`, "old", "2026-05-02 key1 7\n");
    expect((await open()).findAbandoned()).to.deep.equal([]);
  });

  it("unlocks the folders when disposed of, even if journals aren't discarded", async () => {
    leave(`${folders.journals}-2`, "crashed", "2026-05-02 key1 7\n");
    const mine = await open();
    expect(mine.findAbandoned()).to.have.length(1);
    mine[Symbol.dispose]();
    expect(existsSync(join(`${folders.journals}-2`, "crashed.1.journal"))).to.equal(true);
    expect((await open()).findAbandoned(), "the next one's turn").to.have.length(1);
  });
});
