import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { CHANGE_DEADLINE_MS } from "@geolookup/shared/runtime/grpc/limits.ts";
import type { Reads } from "../deployment/reads.ts";
import { sentence } from "./format.ts";
import type { SelectedKey } from "./selected-keys.ts";

/** How many keys are changed concurrently. */
const CONCURRENCY = 10;
/** With less time remaining, no more keys are tried. */
const MIN_CALL_MS = 500;

/** The result for one of several keys: changed, unchanged because there was nothing to do, or failed. */
export interface Outcome {
  keyId: string;
  /** The key after the change; null if it couldn't be read. */
  key: KeyView | null;
  /** The key before the change; null if it couldn't be read. */
  before: KeyView | null;
  state: "changed" | "unchanged" | "failed";
  /** Why it failed, or why there was nothing to do. */
  reason: string;
  /** Whether the input was refused. */
  isInvalid: boolean;
}

type ChangeKey = (key: KeyView, selected: SelectedKey, deadlineMs: number) => Promise<KeyView | null> | string;

/**
 * Changes keys independently of each other, and stops after 10 s or when auth stops responding.
 * @param change changes a key within a time, or returns a text if there is nothing to change.
 * @returns one outcome per key, in order.
 */
export async function changeSelected(
  backend: Pick<Reads, "getKey">,
  selected: readonly SelectedKey[],
  change: ChangeKey,
  nowMs: () => number = () => performance.now(),
): Promise<Outcome[]> {
  const endMs = nowMs() + CHANGE_DEADLINE_MS;
  const outcomes: Outcome[] = [];
  let isAvailable = true;
  for (let start = 0; start < selected.length; start += CONCURRENCY) {
    const group = selected.slice(start, start + CONCURRENCY);
    const leftMs = endMs - nowMs();
    if (!isAvailable || leftMs < MIN_CALL_MS) {
      outcomes.push(...group.map(({ keyId }) => failed(keyId, null, NOT_TRIED)));
      continue;
    }
    const ended = await Promise.all(group.map((each) => changeOne(backend, each, change, leftMs)));
    isAvailable = !ended.some(({ reason }) => reason === UNAVAILABLE);
    outcomes.push(...ended);
  }
  return outcomes;
}

/** Why the input was refused; empty if it wasn't, or if any keys were changed. */
export function refusalOf(outcomes: readonly Outcome[]): string {
  if (outcomes.some(({ state }) => state === "changed")) return "";
  return outcomes.find(({ isInvalid }) => isInvalid)?.reason ?? "";
}

const NOT_TRIED = "Not tried, because auth is responding too slowly or not at all. Select it again in a moment.";
const UNAVAILABLE = "Auth is not responding. Check on the key's page whether the change was saved.";
const CHANGED_SINCE = "Not changed, because the key has changed since you loaded the list.";

async function changeOne(
  backend: Pick<Reads, "getKey">,
  selected: SelectedKey,
  change: ChangeKey,
  deadlineMs: number,
): Promise<Outcome> {
  const { keyId } = selected;
  let before: KeyView | null = null;
  try {
    before = await backend.getKey(keyId);
    const key = await change(before, selected, deadlineMs);
    if (typeof key === "string")
      return { keyId, key: before, before, state: "unchanged", reason: key, isInvalid: false };
    return { keyId, key, before, state: "changed", reason: "", isInvalid: false };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, message } = error;
    if (code === "unavailable") return failed(keyId, before, UNAVAILABLE);
    if (code === "conflict") return failed(keyId, before, CHANGED_SINCE);
    return { ...failed(keyId, before, sentence(message)), isInvalid: code === "invalid" };
  }
}

function failed(keyId: string, before: KeyView | null, reason: string): Outcome {
  return { keyId, key: before, before, state: "failed", reason, isInvalid: false };
}
