import { expect } from "chai";
import { type Child, startChild } from "../../test/harness/child.ts";
import { waitFor } from "../../test/harness/wait-for.ts";
import { machineMicros, processorMicros, residentBytes, withChildren } from "./processes.ts";

describe("CPU time and memory of processes", () => {
  let child: Child | undefined;
  afterEach(async () => {
    child?.kill("SIGKILL");
    await child?.exited;
  });
  const run = (program: string) => {
    child = startChild("-e", [program], {});
    return child.pid;
  };

  it("is the CPU time that the process reports itself, and at most the machine's", () => {
    const machineBefore = machineMicros();
    const before = processorMicros(process.pid);
    const start = process.cpuUsage();
    while (process.cpuUsage(start).user < 200_000);
    const { user, system } = process.cpuUsage(start);
    const used = processorMicros(process.pid) - before;
    expect(used).to.be.within(user + system - 30_000, user + system + 30_000);
    expect(machineMicros() - machineBefore).to.be.at.least(used - 30_000);
  });

  it("has a memory peak that remains after memory is freed", async () => {
    const pid = run("Buffer.alloc(300e6, 1); global.gc?.(); setInterval(() => {}, 1000);");
    await waitFor("the peak", () => residentBytes([pid]).peak > 300e6, 10_000);
    const { peak, now } = residentBytes([pid, process.pid]);
    expect(peak).to.be.at.least(residentBytes([process.pid]).now + 300e6);
    expect(now).to.be.at.most(peak);
  });

  it("includes child processes", async () => {
    const pid = run("require('child_process').spawn('sleep', ['60']); setInterval(() => {}, 1000);");
    await waitFor("the child", () => withChildren(pid).length === 2, 10_000);
    const [, sleeper = 0] = withChildren(pid);
    process.kill(sleeper);
  });
});
