import { parseKey } from "@geolookup/shared/domain/key-shape.ts";
import { periodAt } from "@geolookup/shared/domain/period.ts";
import { type Request, type Response, Router } from "express";
import type { KeyPage, Reads } from "../deployment/reads.ts";
import { orNull } from "../deployment/services.ts";
import { type ConsoleContext, hasRole, hiddenOf } from "./context.ts";
import { sessionForm } from "./csrf.ts";
import { formFields, queryOf } from "./forms.ts";
import { sendPage } from "./frame.ts";
import { keyListPage, type RefusedSelection } from "./key-list-page.ts";
import { INITIAL_SORT, type KeyListQuery, keyListPath, readKeyListQuery, USED_SORT } from "./key-list-query.ts";

const PAGE_SIZE = 50;
/** Auth checks a few thousand keys per call, so a search through 100,000 keys takes several calls and half a second. */
const SEARCH_MS = 1_500;
/** The number of keys that usage and auth return in one call. */
const MAX_LISTED_BY_USE = 1_000;

/** The list of keys, with search, filters, orders and pages. */
export function keyListRoutes(context: ConsoleContext): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get("/keys", (req, res: Response) => sendKeyList(res, context, readKeyListQuery(queryOf(req.url))));
  // Posted, because a key must never be in a URL: browsers keep those, and proxies log them. A pasted key is found by its hash.
  router.post("/keys/search", sessionForm(context), async (req: Request, res: Response) => {
    const search = formFields(req)("search").trim();
    const key = parseKey(search) && (await orNull(context.backend.getKey(search)));
    const list = () => keyListPath(readKeyListQuery(new URLSearchParams(req.body)));
    res.redirect(303, key ? `/console/keys/${key.keyId}` : list());
  });
  return router;
}

/** Sends a page of the list. @param refused the change of several keys that was refused, if any. */
export async function sendKeyList(
  res: Response,
  context: ConsoleContext,
  list: KeyListQuery,
  refused: RefusedSelection | null = null,
): Promise<void> {
  const plans = context.deployment().plans();
  const shown = list.sort.column === USED_SORT.column ? await mostUsed(context, list) : await inOrder(context, list);
  sendPage(
    res,
    context,
    "Keys",
    keyListPage({ ...shown, plans, hidden: hiddenOf(res), refused, mayChange: hasRole(res, "operator") }),
    {
      path: "/console/keys",
      status: refused === null ? 200 : 400,
      scripts: ["/console/assets/select.js"],
    },
  );
}

async function inOrder(context: ConsoleContext, list: KeyListQuery) {
  const page = await fetchPage(context.backend, list);
  return { ...page, list, counts: await countsOf(context, page.keys) };
}

/** The keys with the most requests this month; in the order of issue if usage is unavailable. */
async function mostUsed(context: ConsoleContext, list: KeyListQuery) {
  const { backend, clock } = context;
  const summary = await orNull(backend.summary(periodAt(clock()).month, MAX_LISTED_BY_USE));
  if (summary === null) return inOrder(context, { ...list, sort: INITIAL_SORT });
  const totals = new Map(summary.top.map(({ keyId, total }) => [keyId, total]));
  // Without IDs, auth would list all keys.
  if (totals.size === 0) return { keys: [], nextPageToken: "", total: 0, list, counts: [] };
  const page = await fetchPage(backend, list, [...totals.keys()]);
  return { ...page, total: 0, list, counts: page.keys.map(({ keyId }) => totals.get(keyId) ?? 0) };
}

/** A full page of keys, from as many calls to auth as needed. @param keyIds only these, in this order. */
async function fetchPage(
  backend: Reads,
  { filter, sort, after }: KeyListQuery,
  keyIds: readonly string[] = [],
): Promise<KeyPage> {
  const order = keyIds.length === 0 ? sort : INITIAL_SORT;
  const keys: KeyPage["keys"] = [];
  let token = after;
  let total = 0;
  const startMs = performance.now();
  do {
    const page = await backend.listKeys(filter, { size: PAGE_SIZE - keys.length, token, sort: order, keyIds });
    keys.push(...page.keys);
    token = page.nextPageToken;
    total = page.total;
  } while (token !== "" && keys.length < PAGE_SIZE && performance.now() - startMs < SEARCH_MS);
  return { keys, nextPageToken: token, total };
}

/** Each key's requests this month; null if usage is unavailable, so that the list still works. */
async function countsOf({ backend, clock }: ConsoleContext, keys: KeyPage["keys"]): Promise<number[] | null> {
  if (keys.length === 0) return [];
  const keyIds = keys.map(({ keyId }) => keyId);
  return orNull(backend.totals(keyIds, periodAt(clock()).month));
}
