import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { ROOT } from "./files.ts";

/** Runs every `lint:…` script of package.json, one per processor, and prints the output of those that fail. */

const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: Record<string, string> };
const checks = Object.entries(scripts).filter(([name]) => name.startsWith("lint:"));
const waiting = [...checks];
const failed: string[] = [];
await Promise.all(Array.from({ length: availableParallelism() }, runChecks));
if (failed.length > 0) {
  process.stderr.write(`Failed: ${failed.map((name) => `npm run ${name}`).join(", ")}\n`);
  process.exitCode = 1;
}

async function runChecks(): Promise<void> {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    const [name, command] = check;
    const startedMs = performance.now();
    const child = spawn(command, { cwd: ROOT, shell: true, stdio: ["ignore", "pipe", "pipe"] });
    const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
    const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
    if (process.argv.includes("--times"))
      process.stderr.write(`${((performance.now() - startedMs) / 1_000).toFixed(1)} s  ${name}\n`);
    if (code === 0) continue;
    process.stderr.write(`${name}: ${command}\n${output}${errors}\n`);
    failed.push(name);
  }
}
