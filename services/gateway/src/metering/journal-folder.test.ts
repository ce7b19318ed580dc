import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { lockFolder } from "@geolookup/shared/runtime/files/folder-lock.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
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
  const open = (isShared = true) => opened.use(openJournalFolder(folders.journals, isShared, context));
  const leave = (folder: string, instanceId: string, text: string) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${instanceId}.1.journal`), text);
  };

  it("each gateway locks the first free folder", () => {
    const [first, second, third] = [open(), open(), open()];
    expect([first, second, third].map(({ folder }) => basename(folder))).to.deep.equal([
      "journals",
      "journals-2",
      "journals-3",
    ]);
    second[Symbol.dispose]();
    expect(open().folder).to.equal(second.folder);
    expect(open().folder).to.match(/journals-4$/);
  });

  it("a gateway that doesn't share refuses a locked folder", () => {
    open(false);
    expect(() => open(false)).to.throw(StartError, "in use by another running process");
  });

  it("finds abandoned journals under their instance IDs, and keeps their folders locked until they are discarded", () => {
    leave(`${folders.journals}-2`, "crashed2", "2026-05-02 key1 7\n");
    leave(`${folders.journals}-5`, "crashed5", "2026-05-02 key1 2\n");
    const mine = open();
    const journals = mine.findAbandoned();
    expect(journals.flatMap(({ entries }) => entries.map(({ subject }) => subject.instanceId)).sort()).to.deep.equal([
      "crashed2",
      "crashed5",
    ]);
    expect(mine.findAbandoned(), "they are in good hands already").to.deep.equal([]);
    expect(open().folder, "locked until then").to.match(/journals-3$/);
    for (const journal of journals) journal.discard();
    expect(readdirSync(`${folders.journals}-2`).filter((name) => name.endsWith(".journal"))).to.deep.equal([]);
    expect(open().folder, "free again").to.match(/journals-2$/);
  });

  it("ignores folders of running gateways and folders with other names", () => {
    leave(`${folders.journals}-2`, "running", "2026-05-02 key1 7\n");
    opened.use(lockFolder(`${folders.journals}-2`));
    leave(`${folders.journals}-old`, "old", "2026-05-02 key1 7\n");
    expect(open().findAbandoned()).to.deep.equal([]);
  });

  it("unlocks the folders when disposed of, even if journals aren't discarded", () => {
    leave(`${folders.journals}-2`, "crashed", "2026-05-02 key1 7\n");
    const mine = open();
    expect(mine.findAbandoned()).to.have.length(1);
    mine[Symbol.dispose]();
    expect(existsSync(join(`${folders.journals}-2`, "crashed.1.journal"))).to.equal(true);
    expect(open().findAbandoned(), "the next one's turn").to.have.length(1);
  });
});
