import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Deployment } from "../harness/deployment.ts";
import { registerSuitesFor } from "../harness/suite.ts";
import { startCompose } from "./harness/deployment.ts";
import { STOP_TIMEOUT_MS } from "./harness/suite.ts";

const CONTRACT = join(import.meta.dirname, "../contract");

let started: Deployment | undefined;

// The suites that share one deployment, through the published port. The others start deployments with their own settings.
registerSuitesFor([
  "Docker Compose",
  async (settings) => {
    started = await startCompose(settings);
    return started;
  },
]);
for (const name of readdirSync(CONTRACT).filter((file) => file.endsWith(".test.ts"))) {
  const path = join(CONTRACT, name);
  if (readFileSync(path, "utf8").includes("onEveryDeployment")) await import(pathToFileURL(path).href);
}

describe("the contract on Docker Compose", () => {
  it("the cluster can be removed afterwards", async function () {
    this.timeout(STOP_TIMEOUT_MS);
    // Not after the last suite, because the cluster would take CPU time from the others.
    await started?.stop();
  });
});
