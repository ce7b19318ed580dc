import { randomBytes } from "node:crypto";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { type Request, type Response, Router } from "express";
import { orNull } from "../deployment/services.ts";
import { urlsOrExamples } from "../docs/examples.ts";
import { type Html, html } from "../html.ts";
import { requireRole } from "./access.ts";
import { backendOf, type ConsoleContext, sessionOf } from "./context.ts";
import { csrfTokenField, sessionForm } from "./csrf.ts";
import { errorBox } from "./field.ts";
import { FormError, formFields, queryOf } from "./forms.ts";
import { sendPage } from "./frame.ts";
import {
  customerField,
  expiryField,
  labelField,
  originsField,
  planField,
  readExpiry,
  readOrigins,
} from "./key-fields.ts";
import { issuedPage } from "./key-issued-page.ts";
import { MAX_SESSION_MS } from "./sessions.ts";

const PATH = "/console/keys/new";

interface Draft {
  kind: string;
  plan: string;
  label: string;
  origins: string;
  mayForward: boolean;
  expires: string;
  customer: string;
}

/** Issues keys. The full key is only shown once, in the response to the form. */
export function keyIssueRoutes(context: ConsoleContext): Router {
  const { backend, sessions, deployment, clock } = context;
  const nonces = createFormNonces(clock);
  const router = Router({ caseSensitive: true, strict: true });
  const sendForm = (res: Response, draft: Draft, problem?: string) => {
    const content = issueForm({
      draft,
      problem,
      plans: [...(deployment().plans()?.keys() ?? [])],
      hidden: html`${csrfTokenField(sessions.csrfToken(sessionOf(res)))}<input type="hidden" name="once" value="${nonces.create()}">`,
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
    const [kind, plan, label, origins] = [field("kind"), field("plan"), field("label"), field("origins")];
    const [expires, customer] = [field("expires"), field("customer").trim()];
    // Hidden, but perhaps still checked, if the key is publishable.
    const draft = {
      kind,
      plan,
      label,
      origins,
      expires,
      customer,
      mayForward: kind === "secret" && field("forward") !== "",
    };
    // Reloading the response submits the form again, which would issue another key.
    if (!nonces.use(field("once")))
      throw new FormError(409, "This form was already submitted. Find the key that it issued in the list of keys.");
    try {
      const { secret, key } = await backendOf(res).issueKey({
        ...{ kind, plan, label, customer, origins: readOrigins(origins) },
        ...{ mayForward: draft.mayForward, expiresAt: readExpiry(expires) },
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

const EMPTY: Draft = {
  kind: "publishable",
  plan: "",
  label: "",
  origins: "",
  mayForward: false,
  expires: "",
  customer: "",
};

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
<label class="option only-secret"><input type="checkbox" name="forward" value="on"${draft.mayForward ? CHECKED : ""}> <span>Can look up visitors<span class="sub">Your
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
const NONCE_BYTES = 16;
const NONCE = /^[\w-]{22}$/;

/** Nonces for forms that must not be submitted twice. Each process remembers the nonces that were sent to it. */
interface FormNonces {
  create(): string;
  /** Marks a nonce as used. Returns false if it is invalid or was already used. */
  use(nonce: string): boolean;
}

function createFormNonces(clock: Clock): FormNonces {
  /** When each nonce was used. Nonces are kept longer than any session, and therefore any form, can last. */
  const usedAtMs = new Map<string, number>();
  return {
    create: () => randomBytes(NONCE_BYTES).toString("base64url"),
    use(nonce) {
      for (const [old, atMs] of usedAtMs) {
        if (clock() - atMs < MAX_SESSION_MS) break;
        usedAtMs.delete(old);
      }
      if (!NONCE.test(nonce) || usedAtMs.has(nonce)) return false;
      usedAtMs.set(nonce, clock());
      return true;
    },
  };
}
