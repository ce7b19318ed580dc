import type { KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { type Request, type Response, Router } from "express";
import type { Backend } from "../deployment/backend.ts";
import { orNull } from "../deployment/services.ts";
import { backendOf, type ConsoleContext, hiddenOf } from "./context.ts";
import { sessionForm } from "./csrf.ts";
import { formFields, formValues } from "./forms.ts";
import { sendPage } from "./frame.ts";
import { type KeyListQuery, readKeyListQuery } from "./key-list-query.ts";
import { sendKeyList } from "./key-list-routes.ts";
import { readSelectedKeys, type SelectedKey } from "./selected-keys.ts";
import { changeSelected, type Outcome, refusalOf } from "./selection-change.ts";
import { type Change, outcomesPage, revokeSelectedPage } from "./selection-pages.ts";

const REVOKED: Change = {
  title: "Keys revoked",
  verb: "Revoked",
  effect: "Every gateway refuses them within a second.",
  canUndo: false,
};

/** Changes and revokes several keys that were selected in the list. */
export function selectionRoutes(context: ConsoleContext): Router {
  const { backend } = context;
  const router = Router({ caseSensitive: true, strict: true });
  const form = sessionForm(context);

  const frameOf = (res: Response, list: KeyListQuery) => ({ list, hidden: hiddenOf(res) });
  const sendOutcomes = (res: Response, list: KeyListQuery, change: Change, outcomes: readonly Outcome[]) => {
    const content = outcomesPage(frameOf(res, list), change, outcomes);
    const status = outcomes.every(({ state }) => state === "failed") ? 409 : 200;
    sendPage(res, context, change.title, content, { path: "/console/keys", status });
  };
  const sendConfirmation = async (
    res: Response,
    list: KeyListQuery,
    selection: readonly SelectedKey[],
    refused: { reason: string; problem: string } | null = null,
  ) => {
    const keys = await Promise.all(
      selection.map(async (selected) => ({ selected, key: await orNull(backend.getKey(selected.keyId)) })),
    );
    const content = revokeSelectedPage(frameOf(res, list), keys, refused);
    sendPage(res, context, "Revoke keys", content, { path: "/console/keys", status: refused === null ? 200 : 400 });
  };

  /** The keys and the list of a form; null if no key is selected, after showing the list again. */
  const readForm = async (req: Request, res: Response, problem = "") => {
    const list = readKeyListQuery(new URLSearchParams(formFields(req)("list")));
    const selection = readSelectedKeys(formValues(req, "key"));
    const found = selection.length === 0 ? "Select at least one key" : problem;
    if (found === "") return { list, selection };
    const selected = new Set(selection.map(({ keyId }) => keyId));
    await sendKeyList(res, context, list, { problem: found, selected, plan: formFields(req)("plan") });
    return null;
  };

  router.post("/selected-keys/plan", form, async (req: Request, res: Response) => {
    const plan = formFields(req)("plan");
    const read = await readForm(req, res, plan === "" ? "Choose a plan for the selected keys" : "");
    if (read === null) return;
    const outcomes = await changeSelected(backend, read.selection, (key, { version }, deadlineMs) =>
      toPlan(backendOf(res), key, { plan, version, deadlineMs }),
    );
    const refusal = refusalOf(outcomes);
    if (refusal !== "") return void (await readForm(req, res, refusal));
    sendOutcomes(res, read.list, PLAN_CHANGED, outcomes);
  });
  router.post("/selected-keys/undo", form, async (req: Request, res: Response) => {
    const read = await readForm(req, res);
    if (read === null) return;
    const outcomes = await changeSelected(backend, read.selection, (key, { version, plan }, deadlineMs) =>
      plan === null ? "Nothing to undo" : toPlan(backendOf(res), key, { plan, version, deadlineMs }),
    );
    sendOutcomes(res, read.list, { ...PLAN_CHANGED, title: "Change undone" }, outcomes);
  });
  router.post("/selected-keys/revoke", form, async (req: Request, res: Response) => {
    const read = await readForm(req, res);
    if (read !== null) await sendConfirmation(res, read.list, read.selection);
  });
  router.post("/selected-keys/revoke-confirmed", form, async (req: Request, res: Response) => {
    const read = await readForm(req, res);
    if (read === null) return;
    const reason = formFields(req)("reason");
    const outcomes = await changeSelected(backend, read.selection, ({ keyId, status }, _selected, deadlineMs) =>
      status === "revoked" ? "Was already revoked" : backendOf(res).revokeKey(keyId, reason, deadlineMs),
    );
    const problem = refusalOf(outcomes);
    if (problem !== "") return sendConfirmation(res, read.list, read.selection, { reason, problem });
    sendOutcomes(res, read.list, REVOKED, outcomes);
  });
  return router;
}

const PLAN_CHANGED: Change = {
  title: "Plan changed",
  verb: "Changed the plan of",
  effect: "Every gateway applies it within a second.",
  canUndo: true,
};

function toPlan(
  backend: Backend,
  { keyId, status, plan: current }: KeyView,
  { plan, version, deadlineMs }: { plan: string; version: number; deadlineMs: number },
) {
  if (status === "active" && current === plan) return `Already on plan ${plan}`;
  return backend.changeKey(keyId, { plan, expectedVersion: version }, deadlineMs);
}
