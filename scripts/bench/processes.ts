import { readFileSync } from "node:fs";

/** Linux counts processor time in these, whatever the processor: `getconf CLK_TCK`. */
const MICROS_A_TICK = 10_000;

/** Fields of /proc/PID/stat behind the command's name: proc(5) counts from 1, and the name is the second. */
const USER_TICKS = 14 - 3;
const SYSTEM_TICKS = 15 - 3;

/** Processor time that processes have used so far, user and system, in microseconds, exact to 10 ms each. */
export function processorMicros(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    ticks += Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS]);
  }
  return ticks * MICROS_A_TICK;
}

/** The busy fields of the first line of /proc/stat: all but idle (4) and iowait (5). */
const RESTING = [3, 4];
/** Guests' time is in user time already. */
const FIRST_GUEST = 8;

/** Processor time that was used of the whole machine so far, also by other machines on the same host, in microseconds. */
export function machineMicros(): number {
  const [line = ""] = readFileSync("/proc/stat", "latin1").split("\n", 1);
  const ticks = line
    .trim()
    .split(/\s+/)
    .slice(1, 1 + FIRST_GUEST);
  return MICROS_A_TICK * ticks.reduce((sum, value, at) => (RESTING.includes(at) ? sum : sum + Number(value)), 0);
}

/** What each process held in memory at most (VmHWM), and holds now (VmRSS), summed, in bytes. */
export function residentBytes(pids: readonly number[]): { peak: number; now: number } {
  const sum = (name: string) =>
    pids.reduce((total, pid) => {
      const status = readFileSync(`/proc/${pid}/status`, "latin1");
      return total + 1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]);
    }, 0);
  return { peak: sum("VmHWM"), now: sum("VmRSS") };
}

/** A process and all that it started, at this moment. */
export function withChildren(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim();
  return [pid, ...(children === "" ? [] : children.split(" ").flatMap((child) => withChildren(Number(child))))];
}
