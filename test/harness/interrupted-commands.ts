import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { startChild } from "./child.ts";
import { runHere } from "./command.ts";
import { tempFolder } from "./temp-folder.ts";
import { waitFor } from "./wait-for.ts";

const SAVED_MS = 30_000;

/** A command about many keys, which can be run again after it was killed. */
export interface RepeatableCommand {
  /**
   * Runs it, and kills it with SIGKILL some time after the new keys were saved: after its start, if they were before.
   * @returns whether it was still running.
   */
  kill(afterMs: number): Promise<boolean>;
  /** Runs it without an expectation: the service may be killed meanwhile. */
  run(): Promise<void>;
  /** Runs it to its end, then checks that each key was issued once and is the one that was saved. @returns the keys */
  finish(): Promise<string[]>;
}

/** An import of a CSV file. @param label of its keys. */
export function importOf(count: number, label: string, environment: Record<string, string>): RepeatableCommand {
  const lines = Array.from({ length: count }, (_, index) => `secret,free,${label} ${index},n${index}\n`);
  return repeatable(count, label, "csv", `kind,plan,label,metadata.n\n${lines.join("")}`, "keys import", environment);
}

/** The application of a YAML file that declares keys. @param label of its keys. */
export function applyOf(count: number, label: string, environment: Record<string, string>): RepeatableCommand {
  const keys = Array.from(
    { length: count },
    (_, index) => `  ${label}-${index}: { kind: secret, customer: ${label}, label: ${label} ${index} }\n`,
  );
  const text = `customers:\n  ${label}: { plan: free }\nkeys:\n${keys.join("")}`;
  return repeatable(count, label, "yaml", text, "apply", environment);
}

function repeatable(
  count: number,
  label: string,
  extension: string,
  text: string,
  command: string,
  environment: Record<string, string>,
): RepeatableCommand {
  const folder = tempFolder();
  const file = join(folder, `in.${extension}`);
  const saved = `${file}.keys.csv`;
  writeFileSync(file, text);
  const args = [...command.split(" "), file];
  return {
    async kill(afterMs) {
      const child = startChild("scripts/program/main.ts", args, environment);
      await waitFor("the keys to be saved", async () => existsSync(saved) || child.hasEnded(), SAVED_MS);
      await delay(afterMs);
      const wasRunning = !child.hasEnded();
      child.kill("SIGKILL");
      await child.exited;
      return wasRunning;
    },
    async run() {
      await runHere(args, environment);
    },
    async finish() {
      const first = await runHere(args, environment);
      expect(first.status, first.stderr).to.equal(0);
      const lines = readFileSync(saved, "utf8").trim().split("\n").slice(1);
      const keys = lines.map((line) => line.split(",", 2) as [keyId: string, key: string]);
      const listed = await runHere(["keys", "list", "--search", `${label} `, "--json"], environment);
      const issued: { keyId: string; label: string; status: string }[] = JSON.parse(listed.stdout);
      expect(new Set(issued.map((each) => each.label)).size).to.equal(count);
      expect(issued.map(({ keyId }) => keyId))
        .to.have.members(keys.map(([keyId]) => keyId))
        .and.have.length(count);
      // Once it is done, it changes nothing.
      expect((await runHere(args, environment)).status).to.equal(0);
      const again = await runHere(["keys", "list", "--search", `${label} `, "--json"], environment);
      expect(JSON.parse(again.stdout)).to.deep.equal(issued);
      return keys.map(([, key]) => key);
    },
  };
}
