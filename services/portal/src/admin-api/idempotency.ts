import { createHash } from "node:crypto";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { z } from "zod";
import { ApiError } from "./errors.ts";

/** Longer than any attempt takes: until then, another request with the same key is refused. */
const LEASE_MS = 30_000;

/** What is stored of a request, for 24 hours. Each put names the revision that it replaces, so that one of two attempts wins. */
export interface IdempotencyStore {
  /** @returns revision 0 and no record if there is none. @throws ServiceError */
  get(name: string): Promise<{ json: string; revision: number }>;
  /** @param revision of the record that it replaces; 0: none. @returns its own. @throws ServiceError `conflict` if there is another one. */
  put(name: string, json: string, revision: number): Promise<number>;
}

/** `request`: the hash of the request. `prepared`: stored before the effect. `result`: after it, without secrets. */
const RECORD = z.object({
  request: z.string(),
  untilMs: z.number(),
  prepared: z.record(z.string(), z.unknown()).nullable(),
  result: z.record(z.string(), z.unknown()).optional(),
});

/** A change with an Idempotency-Key. */
export interface Attempt {
  /** Whose key it is: operators can't see one another's. */
  operator: string;
  key: string;
  /** What must be the same when it is repeated. */
  request: string;
  /** A property of the result that must not be stored. */
  secret: string | undefined;
  /** Returns what to store before the effect. */
  prepare(): Promise<Record<string, unknown> | null>;
  run(prepared: Record<string, unknown> | null): Promise<Record<string, unknown>>;
  /** After an interrupted attempt: the result without its secret if the effect took place, or null. */
  recover(prepared: Record<string, unknown> | null): Promise<Record<string, unknown> | null>;
}

/**
 * Makes a change once, however often it is sent with the same Idempotency-Key, also if this process or a service is killed in the middle.
 * A change that is refused was not made, so its key can be used again.
 * @throws ApiError, and what the attempt throws.
 */
export async function once(store: IdempotencyStore, nowMs: number, attempt: Attempt): Promise<Record<string, unknown>> {
  const name = sha256(`${attempt.operator}\n${attempt.key}`);
  const request = sha256(attempt.request);
  const stored = await store.get(name);
  const earlier = stored.json === "" ? null : RECORD.parse(JSON.parse(stored.json));
  if (earlier !== null && earlier.request !== request)
    throw new ApiError(
      "idempotency_key_reused",
      "Another request had this Idempotency-Key. Use a new one for each change.",
    );
  if (earlier?.result !== undefined) return { ...earlier.result, replayed: true };
  if (earlier !== null && earlier.untilMs > nowMs) throw inProgress();
  const prepared = earlier === null ? await attempt.prepare() : earlier.prepared;
  let { revision } = stored;
  const save = async (record: Partial<z.infer<typeof RECORD>> | null) => {
    const json = record === null ? "" : JSON.stringify({ request, prepared, untilMs: 0, ...record });
    revision = await store.put(name, json, revision);
  };
  try {
    await save({ untilMs: nowMs + LEASE_MS });
  } catch (error) {
    if (error instanceof ServiceError && error.code === "conflict") throw inProgress();
    throw error;
  }
  const recovered = earlier === null ? null : await attempt.recover(prepared);
  if (recovered !== null) {
    await save({ result: recovered });
    return { ...recovered, replayed: true };
  }
  let result: Record<string, unknown>;
  try {
    result = await attempt.run(prepared);
  } catch (error) {
    // The earlier attempt came first after all.
    const late = earlier !== null && isRefusal(error) ? await attempt.recover(prepared) : null;
    if (late !== null) {
      await save({ result: late });
      return { ...late, replayed: true };
    }
    // Best effort: a record that can't be saved now lasts for the lease.
    await save(isRefusal(error) ? null : {}).catch(() => undefined);
    throw error;
  }
  const { [attempt.secret ?? ""]: _secret, ...rest } = result;
  // The change was made, and its secret exists only here. If this isn't saved, a repeated request recovers it.
  await save({ result: rest }).catch(() => undefined);
  return result;
}

function inProgress(): ApiError {
  const message = "A request with this Idempotency-Key is in progress. Repeat it in a moment to get its result.";
  return new ApiError("request_in_progress", message, { "Retry-After": "1" });
}

/** Whether the change certainly wasn't made. */
function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && error.code !== "unavailable" && error.code !== "internal";
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
