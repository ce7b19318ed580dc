import { cpus } from "node:os";
import type { AttackReport } from "../attack-report.ts";
import type { Observed } from "../good-client/phase.ts";

/** The reports as Markdown. */
export function asMarkdown(reports: readonly AttackReport[], leftOut: readonly string[]): string {
  const head = [
    ...["attack", "target", "seconds", "well-behaved client", "docs", "p99 before → during, ms", "ratio"],
    ...["API recovery, ms", "docs recovery, ms", "CPU", "log lines/s", "held"],
  ];
  return [
    `Attacked on ${new Date().toISOString().slice(0, 10)} on ${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}. ` +
      "Attackers, the well-behaved client and the target share the machine. The ratio is the client's p99 during the attack over that before it.",
    table([head, head.map(() => "---"), ...reports.map(row)]),
    ...reports.map(details),
    ...leftOut.map((line) => `Skipped: ${line}.`),
    "",
  ].join("\n\n");
}

function row({ attack, target, seconds, during, after, p99Ms, inside, problems }: AttackReport): string[] {
  return [
    ...[attack, target, seconds.toFixed(0), met(during.api), met(during.docs)],
    `${p99Ms.before.toFixed(1)} → ${p99Ms.during.toFixed(1)}`,
    (p99Ms.during / p99Ms.before).toFixed(1),
    ...[milliseconds(after.api), milliseconds(after.docs)],
    inside ? join(inside.cpuShare, (share) => share.toFixed(2)) : "",
    inside ? (inside.logLines / seconds).toFixed(1) : "",
    problems.length === 0 ? "yes" : "**no**",
  ];
}

function details({ attack, about, tally, inside, problems }: AttackReport): string {
  const memory = inside
    ? ` The target's processes used ${Math.round(inside.residentBytes / 1e6)} MB of memory at the end.`
    : "";
  const held = problems.map((problem) => `\n- **${problem}**`).join("");
  return `**${attack}**: ${about}. ${join(tally, (count) => count.toLocaleString("en"))}.${memory}${held}`;
}

function met({ statuses, errors }: Observed): string {
  return join({ ...statuses, ...errors }, (count) => `${count} ×`, true) || "nothing";
}

function join(counts: Readonly<Record<string, number>>, shown: (value: number) => string, valueFirst = false): string {
  return Object.entries(counts)
    .map(([name, value]) => (valueFirst ? `${shown(value)} ${name}` : `${name} ${shown(value)}`))
    .join(", ");
}

function milliseconds({ goodAfterMs }: Observed): string {
  return goodAfterMs === null ? "never" : goodAfterMs.toFixed(0);
}

function table(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
