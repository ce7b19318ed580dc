import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { pino } from "pino";
import { tempFolder } from "../../../../test/harness/temp-folder.ts";
import { createPlansReader } from "./plans-reader.ts";

describe("createPlansReader", () => {
  let path: string;
  let now = 0;
  let warned: string[];
  const log = pino({ level: "warn" }, { write: (line: string) => void warned.push(line) });
  const write = (text: string) => {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  };
  const plan = (monthlyRequests: number) => JSON.stringify({ start: { fields: "free", monthlyRequests } });

  beforeEach(() => {
    path = join(tempFolder(), "plans.json");
    warned = [];
  });

  it("reads the file, and reloads it after 10 s when it has changed", () => {
    write(plan(10));
    const plans = createPlansReader(path, { log, clock: () => now });
    expect(plans()?.get("start")?.monthlyRequests).to.equal(10);
    write(plan(20));
    expect(plans()?.get("start")?.monthlyRequests).to.equal(10);
    now += 10_000;
    expect(plans()?.get("start")?.monthlyRequests).to.equal(20);
  });

  for (const bad of ["", "[]", "{", '{"start": {"fields": "all"}}'])
    it(`keeps the plans when the file becomes ${JSON.stringify(bad)}, and logs that once`, () => {
      write(plan(10));
      const plans = createPlansReader(path, { log, clock: () => now });
      plans();
      write(bad);
      for (let reads = 0; reads < 3; reads += 1) {
        now += 10_000;
        expect(plans()?.get("start")?.monthlyRequests).to.equal(10);
      }
      expect(warned).to.have.length(1);
    });

  it("has no plans while there is no file", () => {
    expect(createPlansReader(path, { log, clock: () => now })()).to.equal(null);
    expect(warned.join()).to.include("plans file invalid");
  });

  it("reads the repository's plans by default", () => {
    const plans = createPlansReader(undefined, { log, clock: () => now })();
    expect([...(plans?.keys() ?? [])]).to.deep.equal(["free", "paid"]);
  });
});
