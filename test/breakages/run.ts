// Applies the listed breakages one after another to a copy of the repository, and runs the tests that must catch each.
import { spawn } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../compose/harness/run.ts";
import type { Breakage } from "./breakage.ts";
import { copyOfRepository } from "./checkout.ts";
import { BREAKAGES } from "./list/all.ts";
import { type Place, placeOf, testsOf } from "./place.ts";

const HELP = `Usage: node test/breakages/run.ts [--check | --list] [NAME…]

Checks that the tests catch deliberate breakages. Without names, all of them. A name may be a part of one.

  --check   only checks that every breakage applies in exactly one place and that its tests exist
  --list    lists the breakages
`;
/** A breakage may make a test hang. */
const TIMEOUT_MS = 300_000;

interface Prepared {
  breakage: Breakage;
  place: Place;
  tests: string[];
}

/** What mocha reported. `failures`: titles of failed tests, null if it didn't get as far as running any. */
interface TestRun {
  failures: string[] | null;
  output: string;
}

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const flags = args.filter((arg) => arg.startsWith("--"));
  const names = args.filter((arg) => !arg.startsWith("--"));
  const chosen = BREAKAGES.filter(({ name }) => names.length === 0 || names.some((part) => name.includes(part)));
  if (flags.some((flag) => !["--check", "--list"].includes(flag)) || chosen.length === 0) {
    process.stderr.write(HELP);
    return 2;
  }
  if (flags.includes("--list")) {
    for (const { name, tests } of chosen) print(`${name} [${tests.join(" ")}]`);
    return 0;
  }
  const prepared = prepare(chosen);
  if (prepared === null) return 1;
  return flags.includes("--check") ? 0 : tryAll(prepared);
}

/** Finds the places and tests of all; null if one of them is missing. */
function prepare(breakages: readonly Breakage[]): Prepared[] | null {
  const prepared: Prepared[] = [];
  for (const breakage of breakages)
    try {
      prepared.push({ breakage, place: placeOf(breakage, REPOSITORY), tests: testsOf(breakage, REPOSITORY) });
    } catch (error) {
      process.stderr.write(`The breakage "${breakage.name}" doesn't apply: ${(error as Error).message}\n`);
    }
  if (new Set(breakages.map(({ name }) => name)).size < breakages.length)
    throw new Error("two breakages have one name");
  return prepared.length === breakages.length ? prepared : null;
}

async function tryAll(prepared: readonly Prepared[]): Promise<number> {
  const copy = await copyOfRepository();
  /** Failures without a breakage, by tests. */
  const known = new Map<string, string[]>();
  const missed: string[] = [];
  for (const { breakage, place, tests } of prepared) {
    const run = () => runTests(copy, tests, breakage.only);
    const startMs = performance.now();
    const broken = await withBreakage(copy, breakage, place, run);
    const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
    const id = `${breakage.only} ${tests}`;
    if (broken.failures?.length && !known.has(id)) known.set(id, (await run()).failures ?? []);
    const caught = broken.failures?.filter((title) => !known.get(id)?.includes(title));
    if (!caught?.length) missed.push(breakage.name);
    print(`${breakage.name}: ${resultText(caught)} (${seconds} s)`);
    if (!caught) print(broken.output);
  }
  print(`${prepared.length - missed.length} of ${prepared.length} breakages caught`);
  for (const name of missed) print(`NOT CAUGHT: ${name}`);
  for (const title of new Set([...known.values()].flat())) print(`Fails without a breakage, too: ${title}`);
  return missed.length === 0 ? 0 : 1;
}

/** @param caught titles of tests that fail only with the breakage; undefined if no test ran. */
function resultText(caught: readonly string[] | undefined): string {
  if (!caught) return "NOT CAUGHT: no test ran";
  const [first, ...others] = caught;
  if (first === undefined) return "NOT CAUGHT";
  return `caught by "${first}"${others.length > 0 ? ` and ${others.length} more` : ""}`;
}

async function withBreakage<Result>(
  copy: string,
  { replace }: Breakage,
  { file, start, end }: Place,
  action: () => Promise<Result>,
): Promise<Result> {
  const path = join(copy, file);
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.slice(0, start) + replace + text.slice(end));
  try {
    return await action();
  } finally {
    writeFileSync(path, text);
  }
}

/** Runs test files in the copy. A breakage that only keeps the code from loading isn't caught: no test has run. */
async function runTests(copy: string, files: readonly string[], only: string | undefined): Promise<TestRun> {
  const report = join(copy, "report.json");
  rmSync(report, { force: true });
  const mocha = join(copy, "node_modules/mocha/bin/mocha.js");
  const options = ["--reporter", "json", "--reporter-option", `output=${report}`];
  if (only !== undefined) options.push("-f", only);
  const child = spawn(process.execPath, [mocha, ...options, ...files], {
    cwd: copy,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL",
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  await new Promise((resolve, reject) => child.once("close", resolve).once("error", reject));
  try {
    const { failures } = JSON.parse(readFileSync(report, "utf8")) as { failures: { fullTitle: string }[] };
    return { failures: failures.map(({ fullTitle }) => fullTitle), output };
  } catch {
    return { failures: null, output };
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
