import { readFileSync } from "node:fs";
import { sumOf } from "./statistics.ts";

/** Linux counts CPU time in these ticks on every processor: `getconf CLK_TCK`. */
const MICROS_A_TICK = 10_000;

/** Fields of /proc/PID/stat after the command's name: proc(5) counts from 1, and the name is the second. */
const USER_TICKS = 14 - 3;
const SYSTEM_TICKS = 15 - 3;

/** User and system CPU time of a process so far, in microseconds, exact to 10 ms. */
export function processorMicros(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) * MICROS_A_TICK;
}

/** The busy fields of the first line of /proc/stat: all but idle (4) and iowait (5). */
const RESTING = [3, 4];
/** Guests' time is already included in user time. */
const FIRST_GUEST = 8;

/** CPU time used on the whole machine so far, including by other virtual machines on the host, in microseconds. */
export function machineMicros(): number {
  const [line = ""] = readFileSync("/proc/stat", "latin1").split("\n", 1);
  const ticks = line
    .trim()
    .split(/\s+/)
    .slice(1, 1 + FIRST_GUEST);
  return MICROS_A_TICK * ticks.reduce((sum, value, at) => (RESTING.includes(at) ? sum : sum + Number(value)), 0);
}

/** The sum of the processes' peaks of resident memory (VmHWM), in bytes. */
export function peakBytes(pids: readonly number[]): number {
  const status = (pid: number) => readFileSync(`/proc/${pid}/status`, "latin1");
  return sumOf(pids.map((pid) => 1024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(status(pid))?.[1])));
}
