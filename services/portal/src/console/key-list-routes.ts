import { periodAt } from "@geolookup/shared/domain/period.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { type Response, Router } from "express";
import type { Backend, KeyFilter, KeyPage } from "./backend.ts";
import type { ConsoleContext } from "./context.ts";
import { FormError } from "./forms.ts";
import { sendPage } from "./frame.ts";
import { KINDS, keyListPage } from "./key-list-page.ts";

export const PAGE_SIZE = 50;
/** Auth looks at some thousand keys a call, so looking through 100,000 takes some of them, and half a second. */
const GATHER_MS = 1_500;
/** What is longer matches no text that a key may have. */
const LONGEST_SEARCH = 400;

/** The list of keys, with search, filters and pages. */
export function keyListRoutes(context: ConsoleContext): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get("/keys", async (req, res: Response) => {
    const query = new URLSearchParams(req.url.split("?")[1] ?? "");
    const filter = readFilter(query);
    const after = query.get("after") ?? "";
    const { keys, nextPageToken } = await gather(context.backend, filter, after);
    const counts = await countsOf(context, keys);
    const plans = context.site().plans();
    const content = keyListPage({ keys, counts, filter, after, nextPageToken, plans });
    sendPage(res, context, "Keys", content, { path: "/console/keys" });
  });
  return router;
}

function readFilter(query: URLSearchParams): KeyFilter {
  const text = (name: string) => (query.get(name) ?? "").slice(0, LONGEST_SEARCH);
  const kind = text("kind");
  // Auth would be asked for a kind that it does not know, which is none, and give all.
  if (kind !== "" && !KINDS.includes(kind)) throw new FormError(400, "A key's kind is publishable or secret.");
  return { search: text("search").trim(), kind, plan: text("plan"), status: text("status") };
}

/** A page of keys, of as many of auth's pages as it takes. */
async function gather(backend: Backend, filter: KeyFilter, after: string): Promise<KeyPage> {
  const keys: KeyPage["keys"] = [];
  let token = after;
  const startMs = performance.now();
  do {
    const page = await backend.listKeys(filter, { size: PAGE_SIZE - keys.length, token });
    keys.push(...page.keys);
    token = page.nextPageToken;
  } while (token !== "" && keys.length < PAGE_SIZE && performance.now() - startMs < GATHER_MS);
  return { keys, nextPageToken: token };
}

/** This month's requests of each key; null while usage does not tell: keys can be seen without. */
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
