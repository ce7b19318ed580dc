import { displayKey, parseKey } from "@geolookup/shared/domain/key-shape.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { sha256Of } from "../authorizer.ts";
import { macMatches } from "../signing/signature.ts";
import type { SigningRing } from "../signing/signing-ring.ts";
import type { Changes } from "./changes.ts";
import type { IssuedKey } from "./issued-key.ts";
import { type DecisionContext, decide, type IssueRequest, type KeyCommand, NO_KEY } from "./key.ts";
import { invalid } from "./key-input.ts";
import type { KeyRegistry } from "./key-registry.ts";

/** A key that was made for a request. It isn't valid until it is issued. */
export interface PreparedKey {
  keyId: string;
  secret: string;
}

/** A request that can't be carried out. */
export interface IssueProblem {
  /** Its place, from 0. */
  index: number;
  message: string;
}

export type PreparedKeys = { keys: PreparedKey[] } | { problems: IssueProblem[] };

const KEY_ID = /^key_[0-9A-Za-z]{12}$/;
/** How many events are on their way to the key log at once. */
const CONCURRENCY = 100;
const MAX_SHOWN = 10;

/** Issues many keys at once, all or none. */
export function createBulkIssue(options: {
  registry: KeyRegistry;
  changes: Changes;
  ring: () => SigningRing;
  context: (nowMs: number) => DecisionContext;
  prepare: (request: IssueRequest) => PreparedKey;
}) {
  const { registry, changes, ring, context } = options;

  const decideOn = (request: IssueRequest, { keyId, secret }: PreparedKey, nowMs: number) => {
    const keySha256 = sha256Of(secret);
    // The same key was issued by an earlier, interrupted call.
    if (registry.bySha256(keySha256)?.keyId === keyId) return { fact: null };
    const command: KeyCommand = { type: "IssueKey", ...request, keySha256, display: displayKey(secret) };
    return decide(command, registry.byId(keyId) ?? NO_KEY, context(nowMs));
  };
  /** The problems of all requests. If there are none, every process understands the events. */
  const problemsOf = async (requests: readonly (IssueRequest & PreparedKey)[], by: string, nowMs: number) => {
    const decisions = requests.map((request) => decideOn(request, request, nowMs));
    const problems = decisions.flatMap((decision, index): IssueProblem[] =>
      "refusal" in decision ? [{ index, message: decision.refusal.message }] : [],
    );
    const facts = decisions.flatMap((decision) => ("fact" in decision && decision.fact) || []);
    if (problems.length === 0) await changes.expectUnderstood(facts, by);
    return problems;
  };
  const expectPrepared = (requests: readonly (IssueRequest & PreparedKey)[]) => {
    const keyIds = new Set(requests.map(({ keyId }) => keyId));
    const secrets = new Set(requests.map(({ secret }) => secret));
    const isPrepared = ({ keyId, secret, kind }: IssueRequest & PreparedKey) => {
      const parsed = parseKey(secret);
      const signingKey = parsed && ring().byId.get(parsed.signingKeyId);
      const isGenuine = signingKey && parsed.kind === kind && macMatches(parsed, signingKey);
      const other = registry.bySha256(sha256Of(secret));
      return KEY_ID.test(keyId) && isGenuine && (other === undefined || other.keyId === keyId);
    };
    const index = requests.findIndex((request) => !isPrepared(request));
    if (index !== -1) throw invalid(`request ${index + 1} has no prepared key. Prepare all keys again`);
    if (keyIds.size < requests.length || secrets.size < requests.length) throw invalid("a key is prepared only once");
  };

  return {
    /** Makes a key for each request, and issues none. @returns every problem instead if a request is invalid. */
    async prepare(requests: readonly IssueRequest[], by: string, nowMs: number): Promise<PreparedKeys> {
      const keys = requests.map(options.prepare);
      const problems = await problemsOf(
        requests.map((request, index) => ({ ...request, ...(keys[index] as PreparedKey) })),
        by,
        nowMs,
      );
      return problems.length > 0 ? { problems } : { keys };
    },
    /**
     * Issues prepared keys. Issuing one again changes nothing, so an interrupted call can be repeated.
     * @throws ServiceError `invalid`, before anything is recorded; like Changes.make, after which some may have been issued.
     */
    async issue(requests: readonly (IssueRequest & PreparedKey)[], by: string, nowMs: number): Promise<IssuedKey[]> {
      expectPrepared(requests);
      const problems = await problemsOf(requests, by, nowMs);
      const shown = problems.slice(0, MAX_SHOWN).map(({ index, message }) => `request ${index + 1}: ${message}`);
      if (problems.length > MAX_SHOWN) shown.push(`and ${problems.length - MAX_SHOWN} more`);
      if (problems.length > 0) throw invalid(shown.join("; "));
      for (let start = 0; start < requests.length; start += CONCURRENCY) {
        const issuing = requests
          .slice(start, start + CONCURRENCY)
          .map((request) => changes.make(request.keyId, (now) => decideOn(request, request, now), by));
        const failed = (await Promise.allSettled(issuing)).find((result) => result.status === "rejected");
        if (failed) throw failed.reason;
      }
      return requests.map(({ keyId }) => {
        const key = registry.byId(keyId);
        if (!key) throw new ServiceError("unavailable", "the key log was replaced meanwhile. Check the keys");
        return key;
      });
    },
  };
}
