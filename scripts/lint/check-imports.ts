import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** Services import `shared`, never one another; `standalone` alone composes them (CONTRIBUTING, "Layout"). */
const ALLOWED: Readonly<Record<string, readonly string[] | "all">> = { standalone: "all" };
const ROOT = join(import.meta.dirname, "../..");
const SERVICES = join(ROOT, "services");
/** What starts real servers for tests; a service's own tests may use it too. */
const HARNESS = join(ROOT, "test/harness/");

const violations: string[] = [];
for (const service of readdirSync(SERVICES)) {
  const allowed = ALLOWED[service] ?? ["shared"];
  const source = join(SERVICES, service, "src");
  for (const file of readdirSync(source, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ts")) continue;
    const path = join(source, file);
    for (const imported of importedServices(readFileSync(path, "utf8"), path)) {
      if (imported === service || allowed === "all" || allowed.includes(imported)) continue;
      violations.push(`${relative(ROOT, path)} imports the service ${imported}`);
    }
  }
}
if (violations.length > 0) {
  process.stderr.write(`Services may import only shared (standalone alone composes them):\n${violations.join("\n")}\n`);
  process.exit(1);
}

/** The services a file imports: by package name, or by a relative path that leaves its own service. */
function importedServices(text: string, path: string): string[] {
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map((match) => match[1] ?? "");
  return specifiers.flatMap((specifier) => {
    const named = /^@geolookup\/([^/]+)/.exec(specifier)?.[1];
    if (named) return [named];
    if (!specifier.startsWith(".")) return [];
    if (isForTests(path) && join(path, "..", specifier).startsWith(HARNESS)) return [];
    const [first = ""] = relative(SERVICES, join(path, "..", specifier)).split("/");
    return [first];
  });
}

function isForTests(path: string): boolean {
  return /\.(test|suite)\.ts$/.test(path) || path.includes("/testing/");
}
