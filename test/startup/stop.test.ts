import { expect } from "chai";
import { logLines, startProgram, stopChild, waitForOutput } from "../harness/child.ts";
import { baseSettings } from "../harness/settings.ts";
import { tempFolder } from "../harness/temp-folder.ts";

const START_TIMEOUT_MS = 60_000;

describe("make start without a terminal", () => {
  // Otherwise, the shell that npm starts ends, and its program keeps running.
  it("stops when npm alone gets SIGTERM, which make passes on", async function () {
    this.timeout(2 * START_TIMEOUT_MS);
    const environment = { ...baseSettings(), DATA_DIR: tempFolder() };
    await using child = startProgram("npm", ["run", "--silent", "start"], environment);
    const isReady = () => logLines(child.stderr()).some(({ msg }) => msg === "ready") || undefined;
    await waitForOutput(child, "make start to be ready", isReady, START_TIMEOUT_MS);
    expect(await stopChild(child)).to.equal(0);
  });
});
