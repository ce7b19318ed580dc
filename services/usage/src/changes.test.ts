import { expect } from "chai";
import { type Changes, createChanges } from "./changes.ts";

const MONTH = "2026-05";

describe("createChanges", () => {
  let changes: Changes;
  beforeEach(() => {
    changes = createChanges({ capacity: 8, mostKeys: 3 });
  });
  /** A gateway that goes on asking. */
  const asker = (instanceId: string) => {
    const { upTo } = changes.since([], instanceId);
    let told = [{ nodeId: "another", version: 3 }, upTo];
    return () => {
      const { grown, ...rest } = changes.since(told, instanceId);
      told = [rest.upTo];
      return { ...rest, grown: Array.from(grown, ([month, keyIds]) => `${month} ${[...keyIds]}`) };
    };
  };
  const add = (keyIds: string, instanceId: string | null = "boot1", month = MONTH) => {
    for (const keyId of keyIds) changes.add(keyId, month, instanceId);
  };

  it("tells each gateway what others counted since it last asked, each key once", () => {
    const [first, second] = [asker("boot1"), asker("boot2")];
    add("aba");
    expect(second()).to.deep.include({ isComplete: true, hasMore: false, grown: [`${MONTH} a,b`] });
    expect(first()).to.deep.include({ isComplete: true, hasMore: false, grown: [] });
    add("c", "boot2");
    expect(second().grown).to.deep.equal([]);
    expect(first().grown).to.deep.equal([`${MONTH} c`]);
    add("a");
    expect(second().grown).to.deep.equal([`${MONTH} a`]);
  });

  it("tells months apart, and records of months to everyone", () => {
    const ask = asker("boot1");
    add("a", "boot2");
    add("a", "boot2", "2026-04");
    add("b", null, "2026-04");
    expect(ask().grown).to.deep.equal([`${MONTH} a`, "2026-04 a,b"]);
  });

  it("tells the rest in further answers when there are many keys", () => {
    const ask = asker("boot2");
    add("abacde");
    expect(ask()).to.deep.include({ hasMore: true, grown: [`${MONTH} a,b,c`] });
    expect(ask()).to.deep.include({ hasMore: false, grown: [`${MONTH} d,e`] });
  });

  it("goes on when it holds as many as it can, and cannot tell who asks later", () => {
    const [often, seldom, just] = [asker("boot2"), asker("boot2"), asker("boot2")];
    for (const keyId of "abcdefgh") {
      add(keyId);
      expect(often().grown).to.deep.equal([`${MONTH} ${keyId}`]);
    }
    expect(just()).to.deep.include({ isComplete: true, grown: [`${MONTH} a,b,c`] });
    add("i");
    expect(often().grown).to.deep.equal([`${MONTH} i`]);
    expect(seldom()).to.deep.include({ isComplete: false, hasMore: false, grown: [] });
    add("j");
    expect(seldom()).to.deep.include({ isComplete: true, grown: [`${MONTH} j`] });
  });

  it("cannot tell whoever asks for the first time, or was told by another start of the node", () => {
    add("a");
    const later = createChanges();
    const { upTo } = changes.since([], "boot2");
    expect(upTo.version).to.equal(1);
    expect(later.since([upTo], "boot2")).to.deep.include({ isComplete: false, hasMore: false });
    expect(changes.since([{ ...upTo, version: 2 }], "boot2"), "of the future").to.include({ isComplete: false });
  });
});
