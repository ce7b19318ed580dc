import { periodAt } from "@geolookup/shared/domain/period.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { type Response, Router } from "express";
import type { Backend, KeyFilter, KeyPage } from "./backend.ts";
import type { ConsoleContext } from "./context.ts";
import { FormError } from "./forms.ts";
import { sendPage } from "./frame.ts";
import { KINDS, keyListPage } from "./key-list-page.ts";

export const PAGE_SIZE = 50;
/** Auth checks a few thousand keys per call, so a search through 100,000 keys takes several calls and half a second. */
const SEARCH_MS = 1_500;
/** No searchable text is longer. */
const MAX_SEARCH_LENGTH = 400;

/** The list of keys, with search, filters and pages. */
export function keyListRoutes(context: ConsoleContext): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get("/keys", async (req, res: Response) => {
    const query = new URLSearchParams(req.url.split("?")[1] ?? "");
    const filter = readFilter(query);
    const after = query.get("after") ?? "";
    const { keys, nextPageToken } = await fetchPage(context.backend, filter, after);
    const counts = await countsOf(context, keys);
    const plans = context.deployment().plans();
    const content = keyListPage({ keys, counts, filter, after, nextPageToken, plans });
    sendPage(res, context, "Keys", content, { path: "/console/keys" });
  });
  return router;
}

function readFilter(query: URLSearchParams): KeyFilter {
  const text = (name: string) => (query.get(name) ?? "").slice(0, MAX_SEARCH_LENGTH);
  const kind = text("kind");
  // Over gRPC, an unknown kind would become "unspecified", which matches every key.
  if (kind !== "" && !KINDS.includes(kind)) throw new FormError(400, "The kind must be publishable or secret.");
  return { search: text("search").trim(), kind, plan: text("plan"), status: text("status") };
}

/** A full page of keys, from as many calls to auth as needed. */
async function fetchPage(backend: Backend, filter: KeyFilter, after: string): Promise<KeyPage> {
  const keys: KeyPage["keys"] = [];
  let token = after;
  const startMs = performance.now();
  do {
    const page = await backend.listKeys(filter, { size: PAGE_SIZE - keys.length, token });
    keys.push(...page.keys);
    token = page.nextPageToken;
  } while (token !== "" && keys.length < PAGE_SIZE && performance.now() - startMs < SEARCH_MS);
  return { keys, nextPageToken: token };
}

/** Each key's requests this month; null if usage is unavailable, so that the list still works. */
async function countsOf({ backend, clock }: ConsoleContext, keys: KeyPage["keys"]): Promise<number[] | null> {
  if (keys.length === 0) return [];
  try {
    return await backend.totals(
      keys.map(({ keyId }) => keyId),
      periodAt(clock()).month,
    );
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}
