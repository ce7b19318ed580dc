import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { lockFolder } from "@geolookup/shared/runtime/files/folder-lock.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { expect } from "chai";
import { openJournalFolder } from "./journal-folder.ts";
import { createUsageFolders, quiet } from "./testing/usage-folders.ts";

describe("the journal folders of gateways that share one", () => {
  const context = { log: quiet, onDamaged: () => {} };
  let folders: ReturnType<typeof createUsageFolders>;
  let opened: Set<{ release(): void }>;
  beforeEach(() => {
    folders = createUsageFolders();
    opened = new Set();
  });
  afterEach(() => {
    for (const folder of opened) folder.release();
    folders.remove();
  });
  const open = (isShared = true) => {
    const folder = openJournalFolder(folders.journals, isShared, context);
    opened.add(folder);
    return folder;
  };
  const close = (folder: ReturnType<typeof open>) => {
    opened.delete(folder);
    folder.release();
  };
  const leave = (folder: string, instanceId: string, text: string) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${instanceId}.1.journal`), text);
  };

  it("each takes the first that is free, the first of all being the one that a gateway alone has", () => {
    const [first, second, third] = [open(), open(), open()];
    expect([first, second, third].map(({ folder }) => basename(folder))).to.deep.equal([
      "journals",
      "journals-2",
      "journals-3",
    ]);
    close(second);
    expect(open().folder).to.equal(second.folder);
    expect(open().folder).to.match(/journals-4$/);
  });

  it("one that does not share refuses a folder that is taken", () => {
    open(false);
    expect(() => open(false)).to.throw(StartError, "in use by another running process");
  });

  it("gives what others left, under their boots' ids, and holds their folders until it is discarded", () => {
    leave(`${folders.journals}-2`, "dead2", "2026-05-02 key1 7\n");
    leave(`${folders.journals}-5`, "dead5", "2026-05-02 key1 2\n");
    const mine = open();
    const journals = mine.abandoned();
    expect(journals.flatMap(({ entries }) => entries.map(({ subject }) => subject.instanceId)).sort()).to.deep.equal([
      "dead2",
      "dead5",
    ]);
    expect(mine.abandoned(), "they are in good hands already").to.deep.equal([]);
    expect(open().folder, "nobody else may take them meanwhile").to.match(/journals-3$/);
    for (const journal of journals) journal.discard();
    expect(readdirSync(`${folders.journals}-2`).filter((name) => name.endsWith(".journal"))).to.deep.equal([]);
    expect(open().folder, "free again").to.match(/journals-2$/);
  });

  it("leaves alone what a running gateway writes, and folders of other names", () => {
    leave(`${folders.journals}-2`, "running", "2026-05-02 key1 7\n");
    opened.add({ release: lockFolder(`${folders.journals}-2`) });
    leave(`${folders.journals}-old`, "old", "2026-05-02 key1 7\n");
    expect(open().abandoned()).to.deep.equal([]);
  });

  it("gives the folders free when it is released before they could be published", () => {
    leave(`${folders.journals}-2`, "dead", "2026-05-02 key1 7\n");
    const mine = open();
    expect(mine.abandoned()).to.have.length(1);
    close(mine);
    expect(existsSync(join(`${folders.journals}-2`, "dead.1.journal"))).to.equal(true);
    expect(open().abandoned(), "the next one's turn").to.have.length(1);
  });
});
