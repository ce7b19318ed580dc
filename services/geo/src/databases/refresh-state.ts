import { join } from "node:path";
import { z } from "zod";
import { readWhole } from "./whole-file.ts";

/** Beside the versions: what the refresh did last and does next. Geo nodes only read it. */
export const REFRESH_FILE = "refresh.json";
const MAX_BYTES = 100_000;

/** Of a run: newer data was installed; there is none; it wasn't plausible; or it couldn't be looked for or downloaded. */
export const REFRESH_OUTCOMES = ["updated", "unchanged", "refused", "failed"] as const;
export type RefreshOutcome = (typeof REFRESH_OUTCOMES)[number];

const count = z.number().int().nonnegative();
const time = z.iso.datetime();

const refreshState = z.object({
  /** RFC 3339, UTC. In the past: a run is under way, or nothing refreshes the data anymore. */
  nextRunAt: time,
  /** The last finished run; null before the first. */
  lastRun: z
    .object({
      at: time,
      outcome: z.enum(REFRESH_OUTCOMES),
      /** One line for the operator; null if the run was successful. */
      problem: z.string().nullable(),
    })
    .nullable(),
  /** When a run last found the data up to date, or made it so. */
  lastSuccessAt: time.nullable(),
  /** Runs by outcome, since the file exists. */
  runs: z.object({ updated: count, unchanged: count, refused: count, failed: count }),
  /** Failed runs since the last that wasn't. */
  failuresInARow: count,
});

export type RefreshState = z.infer<typeof refreshState>;

export function refreshFile(folder: string): string {
  return join(folder, REFRESH_FILE);
}

/** @throws Error if the file is missing or isn't a refresh's state. */
export async function readRefreshState(folder: string): Promise<RefreshState> {
  const file = await readWhole(refreshFile(folder), MAX_BYTES);
  return refreshState.parse(JSON.parse(String(file?.bytes)));
}
