import { ADMIN, ROLES } from "@geolookup/shared/domain/operators.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { OperatorView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { type Request, type Response, Router } from "express";
import { type Html, html } from "../html.ts";
import { requireRole } from "./access.ts";
import { backendOf, type ConsoleContext, hiddenOf } from "./context.ts";
import { sessionForm } from "./csrf.ts";
import { errorBox, expiryField, field, options, readExpiry } from "./fields.ts";
import { day, listTable } from "./format.ts";
import { formFields } from "./forms.ts";
import { sendPage } from "./frame.ts";

const OPERATORS_PATH = "/console/operators";

/** Operators, their roles and tokens. For admins only. */
export function operatorRoutes(context: ConsoleContext): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const send = (res: Response, title: string, content: Html, status = 200) =>
    sendPage(res, context, title, content, { path: OPERATORS_PATH, status });
  const sendList = async (res: Response, name = "", problem?: string) => {
    const operators = await backendOf(res).listOperators();
    const content = listPage({ operators, name, problem, hidden: hiddenOf(res) });
    send(res, "Operators", content, problem === undefined ? 200 : 400);
  };
  const sendToken = (res: Response, name: string, token: string) =>
    send(
      res,
      "Operator token",
      html`<h1>Token of ${name}</h1>
<p class="lede">Copy the token now. You won't be able to see it again.</p>
<div class="code issued"><div class="code-head"><span>Token</span></div><pre id="issued-token">${token}</pre></div>
<p>${name} signs in to the console with it, and uses it as the <code>ADMIN_TOKEN</code> of <code>./geolookup</code>.</p>
<p class="buttons"><a class="button" href="${OPERATORS_PATH}">Operators</a></p>`,
    );
  router.get("/operators", requireRole("admin"), (_req, res) => sendList(res));
  router.get("/operators/:name", requireRole("admin"), async (req: Request<{ name: string }>, res, next) => {
    const operator = (await backendOf(res).listOperators()).find(({ name }) => name === req.params.name);
    if (!operator || operator.removedAt !== undefined) return next();
    send(res, operator.name, operatorPage(operator, hiddenOf(res)));
  });

  const form = sessionForm(context);
  router.post("/operators", form, async (req: Request, res: Response) => {
    const value = formFields(req);
    const name = value("name").trim();
    try {
      const { token } = await backendOf(res).addOperator(name, value("role"), readExpiry(value("expires")));
      sendToken(res, name, token);
    } catch (error) {
      if (!(error instanceof ServiceError) || !["invalid", "conflict", "precondition"].includes(error.code))
        throw error;
      await sendList(res, name, error.message);
    }
  });
  router.post("/operators/:name/token", form, async (req: Request<{ name: string }>, res: Response) => {
    const { name } = req.params;
    const { token } = await backendOf(res).replaceOperatorToken(name, readExpiry(formFields(req)("expires")));
    sendToken(res, name, token);
  });
  router.post("/operators/:name/role", form, async (req: Request<{ name: string }>, res: Response) => {
    await backendOf(res).setOperatorRole(req.params.name, formFields(req)("role"));
    res.redirect(303, OPERATORS_PATH);
  });
  router.post("/operators/:name/remove", form, async (req: Request<{ name: string }>, res: Response) => {
    await backendOf(res).removeOperator(req.params.name);
    res.redirect(303, OPERATORS_PATH);
  });
  return router;
}

const pathOf = (name: string) => `${OPERATORS_PATH}/${encodeURIComponent(name)}`;

function listPage(page: {
  operators: readonly OperatorView[];
  name: string;
  problem: string | undefined;
  hidden: Html;
}): Html {
  const { operators, name, problem, hidden } = page;
  const current = operators.filter(({ removedAt }) => removedAt === undefined);
  return html`<h1>Operators</h1>
<p>A viewer sees keys, customers, plans and usage. An operator also changes keys and customers. An admin also confirms plans, updates the
data, and manages operators. The owner of <code>ADMIN_TOKEN</code> is the operator <code>${ADMIN}</code>.</p>
${
  current.length === 0
    ? html`<div class="empty"><p>No operators besides ${ADMIN} yet.</p></div>`
    : listTable(
        ["Name", "Role", "Added", "Token expires"],
        current.map(({ name, role, createdAt, expiresAt }) => [
          html`<a href="${pathOf(name)}">${name}</a>`,
          role,
          day(createdAt),
          expiresAt === undefined ? "never" : day(expiresAt),
        ]),
      )
}
<section aria-labelledby="add"><h2 id="add">Add an operator</h2>
<form class="stacked" method="post" action="${OPERATORS_PATH}">
${hidden}${problem === undefined ? "" : errorBox(problem)}
${field({ name: "name", label: "Name", value: name, maxLength: 64, isRequired: true, hint: "Such as alice or alice@example.com: a-z, 0-9 and ._@-" })}
${roleField("operator")}
${expiryField("", "The token works until 00:00 UTC on that day. Leave empty if it never expires.")}
<button class="primary">Add operator</button>
</form>
</section>`;
}

function roleField(chosen: string): Html {
  return html`<label for="role">Role</label>
<select id="role" name="role">${options(ROLES, chosen)}</select>`;
}

function operatorPage({ name, role, createdAt, expiresAt }: OperatorView, hidden: Html): Html {
  const path = pathOf(name);
  return html`<p class="above"><a href="${OPERATORS_PATH}">Operators</a></p>
<h1>${name}</h1>
<dl class="facts">
<div><dt>Role</dt><dd>${role}</dd></div>
<div><dt>Added</dt><dd>${day(createdAt)}</dd></div>
<div><dt>Token expires</dt><dd>${expiresAt === undefined ? "never" : day(expiresAt)}</dd></div>
</dl>
<section aria-labelledby="change-role"><h2 id="change-role">Role</h2>
<form class="stacked" method="post" action="${path}/role">${hidden}${roleField(role)}<p class="buttons"><button class="primary">Save role</button></p></form>
</section>
<section aria-labelledby="token"><h2 id="token">Token</h2>
<form class="stacked" method="post" action="${path}/token">${hidden}
<p>The current token and its sessions stop working at once.</p>
${expiryField("", "The new token works until 00:00 UTC on that day. Leave empty if it never expires.")}
<p class="buttons"><button>Replace token</button></p></form>
</section>
<section aria-labelledby="remove"><h2 id="remove">Remove</h2>
<form class="stacked" method="post" action="${path}/remove">${hidden}<p>The token and all sessions stop working within a second. What ${name} changed stays in the audit trail.</p>
<p class="buttons"><button class="danger">Remove ${name}</button></p></form>
</section>`;
}
