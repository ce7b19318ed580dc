import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const GENERATED = "services/shared/src/generated";
/** How the types represent 64-bit integers, enums and repeated fields: as `grpc/services.ts` decodes them. */
const OPTIONS = ["--longs=Number", "--enums=String", "--arrays"];

/** `main.ts` regenerates the TypeScript types of `proto/`; `main.ts --check` fails if they are out of date. */
if (process.argv.includes("--check")) check();
else {
  rmSync(join(ROOT, GENERATED), { recursive: true, force: true });
  generate(join(ROOT, GENERATED));
}

function generate(folder: string): void {
  const protos = globSync("**/*.proto", { cwd: join(ROOT, "proto") }).sort();
  const output = ["--grpcLib=@grpc/grpc-js", "--importFileExtension=.ts", "--includeComments", `--outDir=${folder}`];
  const args = [...OPTIONS, ...output, "--includeDirs=proto", "--", ...protos];
  execFileSync("proto-loader-gen-types", args, { cwd: ROOT, stdio: "inherit" });
  for (const [path, text] of filesIn(folder)) writeFileSync(join(folder, path), readonlyInputs(text));
}

function check(): void {
  const folder = mkdtempSync(join(tmpdir(), "geolookup-proto-"));
  try {
    generate(folder);
    const [committed, expected] = [filesIn(join(ROOT, GENERATED)), filesIn(folder)];
    const paths = new Set([...committed.keys(), ...expected.keys()]);
    const outdated = [...paths].filter((path) => committed.get(path) !== expected.get(path)).sort();
    if (outdated.length === 0) return;
    for (const path of outdated) console.error(`${GENERATED}/${path} doesn't match proto/`);
    console.error("Run `make proto` and commit the result.");
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Lets messages be sent with readonly arrays. Repeated fields are optional only in messages to send. */
function readonlyInputs(text: string): string {
  return text.replaceAll(/^( {2}'\w+'\?: )(\(.*\)\[\];)$/gm, "$1readonly $2");
}

/** The contents of all files in a folder, by relative path. */
function filesIn(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")]));
}
