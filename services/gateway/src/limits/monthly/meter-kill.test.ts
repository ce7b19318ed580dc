import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { openMeter } from "./meter.ts";
import { createUsageFolders, quiet, recordedQuota } from "./testing/usage-folders.ts";

const COUNT_LOOP = fileURLToPath(new URL("testing/count-loop.ts", import.meta.url));
const clock = () => Date.parse("2026-05-02T12:00:00Z");

describe("meter of a killed process", () => {
  let folders: ReturnType<typeof createUsageFolders>;
  let child: ChildProcess | undefined;
  beforeEach(() => {
    folders = createUsageFolders();
  });
  afterEach(() => {
    child?.kill("SIGKILL");
    folders.remove();
  });

  /**
   * Runs the process that counts, and kills it once it has reported `killAfter` requests.
   * @returns how many it reported.
   */
  const run = (command: string, args: string[], killAfter: number) =>
    new Promise<{ reported: number; status: number | null; errors: string }>((resolve, reject) => {
      const started = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
      child = started;
      let reported = 0;
      let errors = "";
      started.stdout.on("data", (dots: Buffer) => {
        reported += dots.length;
        if (reported >= killAfter) started.kill("SIGKILL");
      });
      started.stderr.on("data", (text: Buffer) => {
        errors += text;
      });
      started.on("error", reject);
      started.on("close", (status) => resolve({ reported, status, errors }));
    });
  const countLoop = (requests: number, requestsPerTurn: number) => [
    COUNT_LOOP,
    folders.root,
    String(requests),
    String(requestsPerTurn),
  ];

  // Flushes, journal rotations and compactions are in progress when it is killed.
  for (const [requestsPerTurn, kills] of [
    [1, [1, 2_500]],
    [20, [700, 5_000]],
  ] as const)
    it(`counts every served request exactly once, kill after kill, with ${requestsPerTurn} responses per turn`, async function () {
      this.timeout(60_000);
      let reported = 0;
      for (const killAfter of kills) {
        const outcome = await run(process.execPath, countLoop(1e9, requestsPerTurn), killAfter);
        expect(outcome.errors).to.equal("");
        expect(outcome.status).to.equal(null);
        reported += outcome.reported;
      }
      const usageLog = await folders.openLog();
      const meter = await openMeter({
        folder: folders.journals,
        usageLog,
        clock,
        log: quiet,
        registry: new Registry(),
      });
      const { total, keys } = await recordedQuota(usageLog, "key1", "2026-05");
      // By turns, at most one of them being lost with each process.
      const [first = 0, second = 0] = ["key1", "key2"].map((keyId) => keys.find((key) => key.keyId === keyId)?.total);
      expect(Math.abs(first - second)).to.be.at.most(kills.length);
      expect(first + second).to.equal(total);
      // A process may be killed between writing the requests of a turn and reporting them.
      expect(total).to.be.within(reported, reported + kills.length * requestsPerTurn);
      // The quota is exact across the restart.
      const admissions = [
        await meter.admit({ keyId: "key1", monthlyRequests: total + 1 }),
        await meter.admit({ keyId: "key1", monthlyRequests: total + 1 }),
      ];
      expect(admissions.map(({ admitted }) => admitted)).to.deep.equal([true, false]);
      await meter[Symbol.asyncDispose]();
      await usageLog[Symbol.asyncDispose]();
      expect(folders.journalFiles()).to.deep.equal([]);
    });

  it("keeps serving and counting if the journal isn't writable", async () => {
    // A limit on file sizes cuts the journal's write short and refuses the next, like a full disk.
    const limited = ["-c", 'ulimit -f 4; exec "$@"', "bash", process.execPath, ...countLoop(300, 1)];
    const outcome = await run("bash", limited, Number.POSITIVE_INFINITY);
    expect(outcome).to.deep.equal({ reported: 300, status: 0, errors: "" });
    const usageLog = await folders.openLog();
    expect((await recordedQuota(usageLog, "key1", "2026-05")).total).to.equal(300);
    await usageLog[Symbol.asyncDispose]();
    expect(folders.journalFiles()).to.deep.equal([]);
  });
});
