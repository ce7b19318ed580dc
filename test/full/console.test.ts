import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { testEveryRoute } from "../harness/console/console-suite.ts";

const SUITES = join(import.meta.dirname, "../console");

// Every console through the gateway and at the portal itself. `make test` has one of them for each way to run the product.
testEveryRoute();

for (const name of readdirSync(SUITES).filter((file) => file.endsWith(".test.ts"))) {
  const path = join(SUITES, name);
  if (readFileSync(path, "utf8").includes("onEveryConsole")) await import(pathToFileURL(path).href);
}
