import { randomUUID } from "node:crypto";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { type Request, type Response, Router } from "express";
import { LRUCache } from "lru-cache";
import { orNull } from "../deployment/services.ts";
import { urlsOrExamples } from "../docs/examples.ts";
import { type Html, html } from "../html.ts";
import { requireRole } from "./access.ts";
import { backendOf, type ConsoleContext, hiddenOf } from "./context.ts";
import { sessionForm } from "./csrf.ts";
import {
  customerField,
  errorBox,
  expiryField,
  labelField,
  originsField,
  planField,
  readExpiry,
  readOrigins,
} from "./fields.ts";
import { FormError, formFields, queryOf } from "./forms.ts";
import { sendPage } from "./frame.ts";
import { issuedPage } from "./key-issued-page.ts";
import { MAX_SESSION_MS } from "./sessions.ts";

const PATH = "/console/keys/new";
const NONCE = /^[\w-]{22,36}$/;
const MAX_SUBMITTED = 10_000;

/** The form when it is opened. */
const EMPTY = { kind: "publishable", plan: "", label: "", origins: "", expires: "", customer: "", forward: "" };
type Draft = typeof EMPTY;

/** Issues keys. The full key is only shown once, in the response to the form. */
export function keyIssueRoutes(context: ConsoleContext): Router {
  const { backend, deployment } = context;
  /** The forms that were submitted, kept longer than any session, and therefore any form, can last. */
  const submitted = new LRUCache<string, true>({ max: MAX_SUBMITTED, ttl: MAX_SESSION_MS });
  const router = Router({ caseSensitive: true, strict: true });
  const sendForm = (res: Response, draft: Draft, problem?: string) => {
    const content = issueForm({
      draft,
      problem,
      plans: [...(deployment().plans()?.keys() ?? [])],
      hidden: html`${hiddenOf(res)}<input type="hidden" name="once" value="${randomUUID()}">`,
    });
    sendPage(res, context, "Issue a key", content, { path: PATH, status: problem === undefined ? 200 : 400 });
  };

  router.get("/keys/new", requireRole("operator"), async (req, res) => {
    const customer = queryOf(req.url).get("customer") ?? "";
    const found = customer === "" ? null : await orNull(backend.getCustomer(customer));
    sendForm(res, { ...EMPTY, customer, plan: found?.plan ?? "" });
  });
  router.post("/keys/new", sessionForm(context), async (req: Request, res: Response) => {
    const field = formFields(req);
    const draft = Object.fromEntries(Object.keys(EMPTY).map((name) => [name, field(name)])) as Draft;
    const { kind, origins, expires, customer, forward, ...rest } = draft;
    // Reloading the response submits the form again, which would issue another key.
    const form = field("once");
    if (!NONCE.test(form) || submitted.has(form))
      throw new FormError(409, "This form was already submitted. Find the key that it issued in the list of keys.");
    submitted.set(form, true);
    try {
      const { secret, key } = await backendOf(res).issueKey({
        ...{ ...rest, kind, customer: customer.trim(), origins: readOrigins(origins), expiresAt: readExpiry(expires) },
        // Hidden, but perhaps still checked, if the key is publishable.
        mayForward: kind === "secret" && forward !== "",
      });
      const content = issuedPage(secret, key, urlsOrExamples(deployment()).apiUrl);
      sendPage(res, context, "Key issued", content, { path: PATH, scripts: ["/assets/snippets.js"] });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== "invalid") throw error;
      sendForm(res, draft, error.message);
    }
  });
  return router;
}

function issueForm(form: { draft: Draft; problem: string | undefined; plans: readonly string[]; hidden: Html }): Html {
  const { draft, problem, plans, hidden } = form;
  const field = problem === undefined ? null : fieldOf(problem);
  const before = (name: Field | null) => (problem !== undefined && field === name ? errorBox(problem) : "");
  return html`<h1>Issue a key</h1>
${before(null)}<form class="stacked" method="post" action="${PATH}">
${hidden}
<fieldset><legend>Kind</legend>
${kindOption("publishable", "Publishable", "Use it in web pages. Visitors can read it, so restrict it to your origins.", draft)}
${kindOption("secret", "Secret", "Use it on servers. Keep it out of web pages and apps.", draft)}
<label class="option only-secret"><input type="checkbox" name="forward" value="on"${draft.forward === "" ? "" : CHECKED}> <span>Can look up visitors<span class="sub">Your
back end sends a visitor's address in <code>X-Forwarded-For</code>, and gets the visitor's location instead of its own. Such a key can look
up any address. You can't change this later. <a href="/console/guides/keys#visitors-of-back-ends">Look up visitors</a></span></span></label>
</fieldset>
${before("plan")}${planField(plans, draft.plan)}
${before("label")}${labelField(draft.label, "Say who the key is for. Only operators see the label.")}
${before("origins")}${originsField(draft.origins)}
${before("expires")}${expiryField(draft.expires)}
${before("customer")}${customerField(draft.customer)}
<button class="primary">Issue key</button>
</form>`;
}

type Field = "plan" | "label" | "origins" | "expires" | "customer";

/** The field that an error from auth names; null if it names none. */
function fieldOf(problem: string): Field | null {
  if (/\borigins?\b/i.test(problem)) return "origins";
  if (/\bcustomers?\b/i.test(problem)) return "customer";
  if (/expire|expiry/i.test(problem)) return "expires";
  if (/\blabel\b/i.test(problem)) return "label";
  return /\bplans?\b/i.test(problem) ? "plan" : null;
}

function kindOption(kind: string, title: string, hint: string, draft: Draft): Html {
  return html`<label class="option"><input type="radio" name="kind" value="${kind}"${kind === draft.kind ? CHECKED : ""}> <span>${title}<span class="sub">${hint}</span></span></label>`;
}

const CHECKED = html` checked`;
