import { join } from "node:path";
import { auditEntry } from "@geolookup/shared/logs/audit/audit-log.suite.ts";
import { auditStreamSettings, subjectOf } from "@geolookup/shared/logs/audit/jet-stream.ts";
import { operatorStreamSettings } from "@geolookup/shared/logs/operators/jet-stream.ts";
import { operatorEvent } from "@geolookup/shared/logs/operators/operator-log.suite.ts";
import { expect } from "chai";
import { tempFolder } from "../../test/harness/temp-folder.ts";
import { type SmallCluster, smallCluster } from "./testing/small-cluster.ts";

const DAY_MS = 86_400_000;

describe("backup and restore of operators and the audit trail", () => {
  let cluster: SmallCluster;
  let folder: string;
  beforeEach(async () => {
    cluster = await smallCluster();
    folder = join(tempFolder(), "saved");
    cluster.makeRing();
    await cluster.declareKeys();
    await cluster.issue("keyA");
    const { jetStream } = cluster;
    await jetStream.declareStream(operatorStreamSettings(1));
    for (const [name, version] of [
      ["alice", 1],
      ["bob", 1],
      ["bob", 2],
    ] as const)
      await jetStream.publish(`operators.${name}`, JSON.stringify(operatorEvent(name, version)));
    const left = { ...operatorEvent("carol", 1), type: "OperatorRemoved", version: 2, data: {} };
    await jetStream.publish("operators.carol", JSON.stringify(operatorEvent("carol", 1)));
    await jetStream.publish("operators.carol", JSON.stringify(left));
    await jetStream.declareStream(auditStreamSettings(1, 30 * DAY_MS));
    for (const number of [1, 2, 3]) await store(number);
    expect(await cluster.backUp(folder)).to.include("5 events of operators, 3 audit entries");
  });
  afterEach(() => cluster[Symbol.asyncDispose]());
  const store = (number: number) => {
    const entry = auditEntry(number);
    return cluster.jetStream.publish(subjectOf(entry.id), JSON.stringify({ entry, positions: {} }));
  };
  const operators = async () =>
    (await cluster.messagesOf("OPERATORS")).map(([, subject, text]) => ({ subject, ...JSON.parse(text) }));
  const entries = async () => (await cluster.messagesOf("AUDIT")).map(([, , text]) => JSON.parse(text).entry.id);

  it("restores operators to a wiped cluster without their tokens, and removed", async () => {
    await cluster.wipe();
    expect(await cluster.restore(folder)).to.include("restored 3 operators as removed ones");
    const found = await operators();
    expect(found.map(({ operator, type }) => `${operator} ${type}`)).to.deep.equal([
      ...["alice OperatorAdded", "bob OperatorAdded", "bob OperatorRoleChanged", "carol OperatorAdded"],
      ...["carol OperatorRemoved", "alice OperatorRemoved", "bob OperatorRemoved"],
    ]);
    expect(JSON.stringify(found)).not.to.include("ab".repeat(32));
    for (const name of ["alice", "bob", "carol"])
      expect(found.filter(({ operator }) => operator === name).map(({ version }) => version)).to.deep.equal(
        name === "bob" ? [1, 2, 3] : [1, 2],
      );
    expect(await entries()).to.have.members(["event-1", "event-2", "event-3"]);
  });

  it("continues an interrupted restore, and changes nothing the second time", async () => {
    await cluster.wipe();
    await cluster.restore(folder);
    const whole = await cluster.messagesOf("OPERATORS");
    await cluster.jetStream.deleteStream("OPERATORS");
    await cluster.jetStream.declareStream(operatorStreamSettings(1));
    for (const [, subject, text] of whole.slice(0, 5)) await cluster.jetStream.publish(subject, text);
    await cluster.restore(folder);
    expect(await cluster.messagesOf("OPERATORS")).to.deep.equal(whole);
    await cluster.restore(folder);
    expect(await cluster.messagesOf("OPERATORS")).to.deep.equal(whole);
    expect(await entries()).to.have.length(3);
  });

  it("leaves a cluster's own operators and entries, and its retention, as they are", async () => {
    const before = await cluster.messagesOf("OPERATORS");
    await store(4);
    expect(await cluster.restore(folder)).to.include("has other operators, which are left as they are");
    expect(await cluster.messagesOf("OPERATORS")).to.deep.equal(before);
    expect(await entries()).to.deep.equal(["event-1", "event-2", "event-3", "event-4"]);
  });
});
