import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { type Request, type Response, Router } from "express";
import { type Html, html } from "../html.ts";
import { requireFormToken } from "./access.ts";
import { type ConsoleContext, operatorOf } from "./context.ts";
import { FORM_BYTES, FormError, formBody, formFields } from "./forms.ts";
import { formTokenField, sendPage } from "./frame.ts";
import { originsField, planField, readOrigins } from "./key-fields.ts";
import { createOnce } from "./once.ts";
import { problemBox } from "./problem-box.ts";

const PATH = "/console/keys/new";

interface Draft {
  kind: string;
  plan: string;
  label: string;
  origins: string;
}

/** Issuing a key, which is shown in full once, in the answer to the form. */
export function keyIssueRoutes(context: ConsoleContext): Router {
  const { backend, sessions, site, clock } = context;
  const once = createOnce(clock);
  const router = Router({ caseSensitive: true, strict: true });
  const sendForm = (res: Response, draft: Draft, problem?: string) => {
    const content = issueForm({
      draft,
      problem,
      plans: [...(site().plans()?.keys() ?? [])],
      hidden: html`${formTokenField(sessions.formToken(operatorOf(res)))}<input type="hidden" name="once" value="${once.make()}">`,
    });
    sendPage(res, context, "Issue a key", content, { path: PATH, status: problem === undefined ? 200 : 400 });
  };

  router.get("/keys/new", (_req, res) => sendForm(res, { kind: "publishable", plan: "", label: "", origins: "" }));
  router.post("/keys/new", formBody(FORM_BYTES), requireFormToken(context), async (req: Request, res: Response) => {
    const field = formFields(req);
    const draft = { kind: field("kind"), plan: field("plan"), label: field("label"), origins: field("origins") };
    // Loading the answer anew sends the form anew, and would issue another key.
    if (!once.use(field("once")))
      throw new FormError(409, "This form was sent before. The list of keys shows what it issued.");
    try {
      const { secret, key } = await backend.issueKey({ ...draft, origins: readOrigins(draft.origins) });
      sendPage(res, context, "The new key", issuedPage(secret, key), { path: PATH, scripts: ["/assets/snippets.js"] });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== "invalid") throw error;
      sendForm(res, draft, error.message);
    }
  });
  return router;
}

function issueForm(form: { draft: Draft; problem: string | undefined; plans: readonly string[]; hidden: Html }): Html {
  const { draft, problem, plans, hidden } = form;
  return html`<h1>Issue a key</h1>
${problem === undefined ? "" : problemBox(problem)}<form class="stacked" method="post" action="${PATH}">
${hidden}
<fieldset><legend>Kind</legend>
${kindOption("publishable", "Publishable", "For pages. Everyone can read it, so name the origins that may use it.", draft)}
${kindOption("secret", "Secret", "For servers.", draft)}
</fieldset>
${planField(plans, draft.plan)}
<label for="label">Label</label>
<input id="label" name="label" value="${draft.label}" maxlength="200" aria-describedby="label-hint">
<p class="hint" id="label-hint">Who it is for. Only operators see it.</p>
${originsField(draft.origins)}
<button class="primary">Issue the key</button>
</form>`;
}

function kindOption(kind: string, title: string, hint: string, draft: Draft): Html {
  return html`<label class="option"><input type="radio" name="kind" value="${kind}"${kind === draft.kind ? CHECKED : ""}> <span>${title}<span class="sub">${hint}</span></span></label>`;
}

const CHECKED = html` checked`;

function issuedPage(secret: string, { keyId, label, kind, plan, origins }: KeyView): Html {
  return html`<h1>The new key</h1>
<p class="lede">Copy it now: it is stored nowhere, and this is the only time that it is shown.</p>
<div class="code issued"><div class="code-head"><span>Full key</span></div><pre id="issued-key">${secret}</pre></div>
${
  kind === "publishable" && origins.length === 0
    ? html`<p class="note">Any page may use this key: it names no origins.</p>\n`
    : ""
}<dl class="facts">
<div><dt>Label</dt><dd>${label === "" ? "–" : label}</dd></div>
<div><dt>Kind</dt><dd>${kind}</dd></div>
<div><dt>Plan</dt><dd>${plan}</dd></div>
<div><dt>Origins</dt><dd>${origins.length === 0 ? "any" : origins.join(", ")}</dd></div>
</dl>
<p><a class="button" href="/console/keys/${keyId}">To the key</a> <a class="button" href="${PATH}">Issue another</a></p>`;
}
