import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startCluster } from "../harness/cluster.ts";
import { registerSuitesFor } from "../harness/suite.ts";

const CONTRACT = join(import.meta.dirname, "../contract");

// The third way the product runs, beside those of `make test`: a process of each service, on files and memory.
registerSuitesFor([
  "processes on embedded stores",
  (settings) => startCluster({ STORES: "embedded", GATEWAYS: "1", AUTH: "1", GEO: "1", USAGE: "1", ...settings }),
]);

for (const name of readdirSync(CONTRACT).filter((file) => file.endsWith(".test.ts"))) {
  const path = join(CONTRACT, name);
  // Others start what they run on themselves: it would be the same again.
  if (readFileSync(path, "utf8").includes("harness/suite.ts")) await import(pathToFileURL(path).href);
}
