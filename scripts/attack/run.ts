import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { CommandLineError } from "../command-line.ts";
import type { CommandContext } from "../run-command.ts";
import type { AttackReport } from "./attack-report.ts";
import type { Attack } from "./attacks/attack.ts";
import { allAttacks } from "./catalog.ts";
import { asMarkdown } from "./report/markdown.ts";
import { runAttack } from "./run-attack.ts";
import { type AttackSettings, readAttackSettings } from "./settings.ts";
import { startTarget } from "./start-target.ts";
import type { Target } from "./target.ts";

const BASELINE_MS = 10_000;
const DOCS_PER_SECOND = 10;
/** Longer than baseline and recovery take: an attack that hangs must not hang the run. */
const SLACK_MS = 120_000;

/**
 * Runs the attacks selected on the command line, each against a new target, so that no attack affects the next.
 * @returns 1 if an expectation wasn't met. @throws StartError, CommandLineError
 */
export async function runAttackCommand({ args, environment, print, printError }: CommandContext): Promise<number> {
  const settings = readAttackSettings(args, environment);
  const names = allAttacks("full", "").map(({ name, about }) => `  ${name.padEnd(22)} ${about}\n`);
  if (settings === "list") {
    print(names.join(""));
    return 0;
  }
  const chosen = chooseAttacks(settings);
  const reports: AttackReport[] = [];
  const leftOut: string[] = [];
  for (const { name } of chosen) {
    await using opened = await openTarget(settings);
    const attack = allAttacks("full", opened.ringText).find((each) => each.name === name);
    const unfit = attack ? (attack.unfit?.(opened.target) ?? null) : "needs the target's signing keys";
    if (!attack || unfit !== null) {
      leftOut.push(`${name}: ${unfit}`);
      continue;
    }
    printError(`attack: ${opened.target.name}: ${attack.about}\n`);
    const attackMs = 1_000 * settings.seconds;
    const pace = { baselineMs: BASELINE_MS, attackMs, perSecond: settings.perSecond, docsPerSecond: DOCS_PER_SECOND };
    const report = await within(runAttack(opened.target, attack, pace), attackMs + SLACK_MS);
    printError(`attack: ${report.problems.length === 0 ? "held" : report.problems.join("; ")}\n`);
    reports.push(report);
  }
  const markdown = asMarkdown(reports, leftOut);
  write(settings.dataDir, reports, markdown);
  print(markdown);
  return reports.some(({ problems }) => problems.length > 0) ? 1 : 0;
}

function chooseAttacks({ only }: AttackSettings): Attack[] {
  const all = allAttacks("full", "");
  const unknown = (only ?? []).filter((name) => !all.some((attack) => attack.name === name));
  if (unknown.length > 0) throw new CommandLineError(`unknown attack ${unknown.join(", ")}; --list shows all`);
  return all.filter(({ name }) => only === null || only.includes(name));
}

interface OpenedTarget extends AsyncDisposable {
  target: Target;
  ringText: string | null;
}

async function openTarget(settings: AttackSettings): Promise<OpenedTarget> {
  const { given } = settings;
  if (given === null) {
    const started = await startTarget(settings);
    return { target: started, ringText: started.ringText, [Symbol.asyncDispose]: started[Symbol.asyncDispose] };
  }
  const target = {
    ...given,
    isBehindHaproxy: false,
    name: given.url,
    docsHost: new URL(given.docsUrl).host,
    inside: null,
  };
  return { target, ringText: null, [Symbol.asyncDispose]: async () => {} };
}

async function within<Result>(result: Promise<Result>, timeoutMs: number): Promise<Result> {
  const over = Promise.withResolvers<never>();
  const timer = setTimeout(() => over.reject(new StartError("an attack didn't end in time")), timeoutMs);
  try {
    return await Promise.race([result, over.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function write(dataDir: string, reports: readonly AttackReport[], markdown: string): void {
  const folder = join(dataDir, "attack");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "latest.md"), markdown);
  writeFileSync(join(folder, "latest.json"), `${JSON.stringify(reports, null, 2)}\n`);
}
