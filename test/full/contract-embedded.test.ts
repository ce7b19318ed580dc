import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startCluster } from "../harness/cluster.ts";
import { registerSuitesFor } from "../harness/suite.ts";

const CONTRACT = join(import.meta.dirname, "../contract");

// The third way to run the product, besides those of `make test`: a process of each service, storing state in files and memory.
registerSuitesFor([
  "processes on embedded stores",
  (settings) => startCluster({ STORES: "embedded", GATEWAYS: "1", AUTH: "1", GEO: "1", USAGE: "1", ...settings }),
]);

for (const name of readdirSync(CONTRACT).filter((file) => file.endsWith(".test.ts"))) {
  const path = join(CONTRACT, name);
  // The other suites start their own deployments, so this would only repeat them.
  if (readFileSync(path, "utf8").includes("harness/suite.ts")) await import(pathToFileURL(path).href);
}
