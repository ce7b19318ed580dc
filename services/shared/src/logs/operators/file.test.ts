import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { pino } from "pino";
import { startError } from "../../../../../test/harness/rejection.ts";
import { tempFolder } from "../../../../../test/harness/temp-folder.ts";
import { openFileOperatorLog, operatorLogFileIn } from "./file.ts";
import { describeOperatorLog, operatorEvent } from "./operator-log.suite.ts";

const log = pino({ level: "silent" });

describeOperatorLog("file", async () => {
  const dataDir = tempFolder();
  return { open: () => openFileOperatorLog({ dataDir, log }), writers: 1, remove: async () => undefined };
});

describe("the file of operators", () => {
  let dataDir: string;
  let path: string;
  const open = () => openFileOperatorLog({ dataDir, log });
  beforeEach(async () => {
    dataDir = tempFolder();
    path = operatorLogFileIn(dataDir);
    await using operators = await open();
    await operators.append(operatorEvent("alice", 1));
    await operators.append(operatorEvent("bob", 1));
  });
  const names = async () => {
    await using operators = await open();
    return operators.events().map(({ operator }) => operator);
  };

  it("is only its owner's", () => {
    expect(statSync(path).mode & 0o777).to.equal(0o600);
  });

  it("loses nothing but an incomplete last line", async () => {
    appendFileSync(path, readFileSync(path, "utf8").slice(0, 50));
    expect(await names()).to.deep.equal(["alice", "bob"]);
    expect(readFileSync(path, "utf8")).to.match(/\n$/).and.have.lengthOf(readFileSync(path).length);
  });

  it("keeps a last line without its newline", async () => {
    writeFileSync(path, readFileSync(path, "utf8").trimEnd());
    expect(await names()).to.deep.equal(["alice", "bob"]);
    expect(await names()).to.deep.equal(["alice", "bob"]);
  });

  for (const [what, damage] of [
    ["a changed line", (text: string) => text.replace("viewer", "admin!")],
    ["an event with another checksum", (text: string) => text.replace('"crc32":"', '"crc32":"f')],
    ["a line that isn't an event", (text: string) => `hello\n${text}`],
  ] as const)
    it(`isn't opened with ${what}, and isn't changed`, async () => {
      const damaged = damage(readFileSync(path, "utf8"));
      writeFileSync(path, damaged);
      expect(await startError(open))
        .to.include(path)
        .and.match(/damaged at line [12]/);
      expect(readFileSync(path, "utf8")).to.equal(damaged);
    });
});
