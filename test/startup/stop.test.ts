import { expect } from "chai";
import { type Child, logLines, startProgram, stopChild, waitForOutput } from "../harness/child.ts";
import { baseSettings } from "../harness/settings.ts";
import { tempFolder } from "../harness/temp-folder.ts";

const START_TIMEOUT_MS = 60_000;

for (const [script, isReady] of [
  ["start", (child: Child) => logLines(child.stderr()).some(({ msg }) => msg === "ready")],
  ["cluster", (child: Child) => child.stdout().startsWith("{")],
] as const)
  describe(`make ${script} without a terminal`, function () {
    this.timeout(2 * START_TIMEOUT_MS);

    // Otherwise, the shell that npm starts ends, and its program keeps running.
    it("stops when npm alone gets SIGTERM, which make passes on", async () => {
      await using child = startProgram("npm", ["run", "--silent", script], {
        ...baseSettings(),
        DATA_DIR: tempFolder(),
      });
      await waitForOutput(child, `make ${script} to be ready`, () => isReady(child) || undefined, START_TIMEOUT_MS);
      expect(await stopChild(child)).to.equal(0);
    });
  });
