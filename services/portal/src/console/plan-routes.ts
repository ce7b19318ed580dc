import { PLANS_ID } from "@geolookup/shared/domain/key-event.ts";
import {
  differenceText,
  fieldsText,
  limitsOf,
  limitsText,
  type PlanEntries,
  planDifferences,
} from "@geolookup/shared/domain/plans.ts";
import type { EventView, PlansCheckView, PlansView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { type Request, type Response, Router } from "express";
import { type Html, html } from "../html.ts";
import { backendOf, type ConsoleContext, hasRole, hiddenOf } from "./context.ts";
import { sessionForm } from "./csrf.ts";
import { counted, number } from "./format.ts";
import { formFields } from "./forms.ts";
import { sendPage } from "./frame.ts";
import { historySection } from "./history.ts";

const PLANS_PATH = "/console/plans";

/** The page about the plans: the current ones, a plans file that is held, and who changed what. */
export function planRoutes(context: ConsoleContext): Router {
  const { backend } = context;
  const router = Router({ caseSensitive: true, strict: true });
  router.get("/plans", async (_req, res: Response) => {
    const [plans, history] = await Promise.all([backend.plans(), backend.history(PLANS_ID)]);
    const hidden = hasRole(res, "admin") ? hiddenOf(res) : null;
    const content = html`<h1>Plans</h1>
${plans.held ? heldView(plans.held, hidden) : ""}${plansTable(plans)}
<p class="hint">To change them, edit the <a href="/console/guides/limits#change-the-plans">plans file</a>.</p>
${historySection(history, eventText)}`;
    sendPage(res, context, "Plans", content, { path: PLANS_PATH });
  });
  const form = sessionForm(context);
  router.post("/plans/confirm", form, async (req: Request, res: Response) => {
    await backendOf(res).confirmPlans(formFields(req)("hash"));
    res.redirect(303, PLANS_PATH);
  });
  return router;
}

/** @param hidden the form's hidden field; null: the operator may not confirm plans. */
function heldView({ hash, differences, holds }: PlansCheckView, hidden: Html | null): Html {
  return html`<section class="problem" aria-labelledby="held"><h2 id="held">The plans file is held</h2>
<p>The previous plans are in use until ${hidden === null ? "an admin confirms it, or the file is changed again" : "you confirm it, or change the file again"}.</p>
<ul>
${holds.map((hold) => html`<li><strong>${hold}</strong></li>\n`)}${differences.map(
  (each) => html`<li>${differenceText(each)} (${counted(each.keys, "key")})</li>\n`,
)}</ul>
${hidden === null ? "" : html`<form method="post" action="${PLANS_PATH}/confirm">${hidden}<input type="hidden" name="hash" value="${hash}"><button class="danger">Use the plans file ${hash}</button></form>\n`}</section>
`;
}

function plansTable({ plans }: PlansView): Html {
  return html`<div class="table"><table>
<thead><tr><th scope="col">Plan</th><th scope="col">Fields</th><th scope="col" class="number">Requests a month</th><th scope="col">Limits</th></tr></thead>
<tbody>
${Object.entries(plans).map(
  ([name, { fields, monthlyRequests, ...limits }]) =>
    html`<tr><th scope="row">${name}</th><td>${fieldsText(fields)}</td><td class="number">${number(monthlyRequests)}</td><td>${limitsText(limitsOf(limits)) || "none"}</td></tr>\n`,
)}</tbody>
</table></div>`;
}

function eventText({ data }: EventView, before: EventView | undefined): Html {
  const plans = plansOf(data);
  const changes = before
    ? planDifferences(plansOf(before.data), plans).map(differenceText)
    : [`First recorded: ${names(plans)}`];
  return html`${changes.map((text, index) => html`${index === 0 ? "" : html`<br>`}${text}`)}`;
}

function plansOf(data: unknown): PlanEntries {
  return (data as { plans: PlanEntries }).plans;
}

function names(plans: PlanEntries): string {
  return Object.keys(plans).join(", ");
}
