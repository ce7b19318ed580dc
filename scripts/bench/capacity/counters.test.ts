import { expect } from "chai";
import { commandCalls, metricValue, microsBetween, threadMicros } from "./counters.ts";

describe("the counters of a cluster", () => {
  it("read a metric without labels", () => {
    const text = "# HELP a_b words\na_b_total 5\na_b 1.5\na_b_sum 7e3\n";
    expect(metricValue(text, "a_b")).to.equal(1.5);
    expect(metricValue(text, "a_b_sum")).to.equal(7_000);
    expect(metricValue(text, "a")).to.equal(0);
  });

  it("count Redis's commands, without those of reading them", () => {
    const line = (name: string, calls: number) => `cmdstat_${name}:calls=${calls},failed_calls=0\r\n`;
    const info = `# Commandstats\r\n${line("evalsha", 3)}${line("get", 10)}${line("pubsub|numsub", 3)}${line("info", 4)}${line("client|list", 9)}`;
    expect(commandCalls(info)).to.deep.equal({ redisScripts: 3, redisCommands: 16 });
  });

  it("add up threads, and leave out those that have ended", () => {
    const before = new Map([
      ["1", 100],
      ["2", 50],
    ]);
    const after = new Map([
      ["1", 130],
      ["3", 5],
    ]);
    expect(microsBetween(before, after)).to.equal(35);
  });

  it("see this process work", () => {
    const before = threadMicros(process.pid);
    for (const startMs = performance.now(); performance.now() - startMs < 5; );
    expect(microsBetween(before, threadMicros(process.pid))).to.be.above(0);
  });
});
