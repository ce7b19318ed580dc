import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { registerSuitesFor } from "../harness/suite.ts";
import { endKubernetes, startKubernetes } from "./harness/deployment.ts";

const CONTRACT = join(import.meta.dirname, "../contract");

// The suites that share one deployment, through the Service. The others start deployments with their own settings.
registerSuitesFor(["Kubernetes", startKubernetes]);
for (const name of readdirSync(CONTRACT).filter((file) => file.endsWith(".test.ts"))) {
  const path = join(CONTRACT, name);
  if (readFileSync(path, "utf8").includes("onEveryDeployment")) await import(pathToFileURL(path).href);
}

describe("the contract on Kubernetes", () => {
  it("two gateways run again afterwards", async function () {
    this.timeout(120_000);
    await endKubernetes();
  });
});
