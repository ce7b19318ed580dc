import { periodAt } from "@geolookup/shared/domain/period.ts";
import type { KeyView, UsageView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { overlapField } from "../console/fields.ts";
import { counted, number, time } from "../console/format.ts";
import type { DeploymentInfo } from "../deployment/deployment-info.ts";
import { type DocsPage, docsPage } from "../docs/docs-page.ts";
import { type Html, html } from "../html.ts";

const DAY_MS = 86_400_000;

/** What a customer sees of a key. */
export interface Account {
  key: KeyView;
  /** The requests that count toward its quota in this month, of all keys that share it; null if that isn't known. */
  used: { month: number; today: number } | null;
  /** The key's own, in this month; null if they aren't known. */
  refusals: UsageView["refusals"] | null;
  mayRotate: boolean;
  nowMs: number;
}

/** The page where customers paste a secret key to see its usage. */
export function accountPage({ site }: Pick<DeploymentInfo, "site">, problem?: string): DocsPage {
  const rotate = site.selfService === "rotate" ? html` You can also replace the key with a new one.` : "";
  return docsPage(
    "Your usage",
    html`<h1>Your usage</h1>
<p class="lede">See the plan of a secret key, how much of its quota is used, when it expires, and which requests were refused.${rotate}</p>
${problem === undefined ? "" : problemOf(problem)}
<form method="post" action="/account" class="own-key-form">
${keyField("account-key", problem !== undefined)}
<p class="buttons"><button class="primary">Show usage</button></p>
</form>
<p>The key is sent in the body of a form, never in a URL, and is stored nowhere. This page sets no cookie. Publishable keys
(<code>geo_pk_…</code>) don't work here, because anyone can read them in a web page.</p>`,
    { path: "/account" },
  );
}

const INVALID = html` aria-invalid="true" aria-describedby="problem"`;

function keyField(id: string, isInvalid = false): Html {
  return html`<label for="${id}">Secret key</label>
<input id="${id}" name="key" type="password" autocomplete="off" required maxlength="256" placeholder="geo_sk_…"${isInvalid ? INVALID : ""}>`;
}

function problemOf(problem: string): Html {
  return html`<p class="problem" id="problem" role="alert">${problem}</p>`;
}

/** A key's usage. @param problem why a rotation was refused. */
export function usagePage(account: Account, problem?: string): DocsPage {
  const { key, mayRotate } = account;
  return docsPage(
    "Your usage",
    html`<h1>Your usage</h1>
<p class="lede">The key <code>${key.display}</code>${key.label === "" ? "" : html`, ${key.label}`}.</p>
${problem === undefined ? "" : problemOf(problem)}
<table>
${facts(account).map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>\n`)}</table>
<h2 id="refused">Refused requests</h2>
${refusals(account)}
${mayRotate ? rotateForm() : ""}
<p><a href="/account">Another key</a></p>`,
  );
}

/** A key's successor, which is shown only once. @param rotated the key that it replaces. @param isOver whether that one no longer works. */
export function rotatedPage(secret: string, rotated: KeyView, isOver: boolean): DocsPage {
  return docsPage(
    "New key",
    html`<h1>Your new key</h1>
<p class="lede">You won't be able to see it again.</p>
<pre><code>${secret}</code></pre>
<p>It has the same plan, quota and settings. Replace the key <code>${rotated.display}</code> with it everywhere.
${isOver ? "The old key no longer works" : html`The old key works until ${time(rotated.endsAt ?? "")}`}.</p>
<p><a href="/account">Your usage</a></p>`,
  );
}

function facts({ key, used, nowMs }: Account): [string, Html][] {
  const { quota, nextQuota, expiresAt, endsAt, origins } = key;
  const { day, resetUnixSeconds } = periodAt(nowMs);
  const resetMs = resetUnixSeconds * 1_000;
  const left = quota && used && Math.max(0, quota.monthlyRequests - used.month);
  const isShared = quota !== undefined && quota.id !== key.keyId;
  return [
    ["Status", status(key)],
    ["Plan", html`${key.plan}`],
    ...rowIf(quota, ({ monthlyRequests }) => [
      "Quota",
      html`${counted(monthlyRequests, "request")} a month${isShared ? ", shared with your other keys" : ""}`,
    ]),
    ["Used today", used ? html`${number(used.today)} on ${day} (UTC)` : UNKNOWN],
    ["Used this month", used ? html`${number(used.month)}` : UNKNOWN],
    ...rowIf(left, (requests) => ["Left", html`${number(requests)}`]),
    ["Quota resets", html`${time(new Date(resetMs).toISOString())}, in ${daysUntil(resetMs, nowMs)}`],
    ...rowIf(nextQuota, ({ monthlyRequests, from = "" }) => [
      `Quota from ${from}`,
      html`${counted(monthlyRequests, "request")} a month`,
    ]),
    ["Expires", expiresAt === undefined ? html`never` : until(expiresAt, nowMs)],
    ...rowIf(endsAt, (at) => ["Rotated: ends", until(at, nowMs)]),
    ["Origins", origins.length === 0 ? html`any` : html`${origins.join(", ")}`],
  ];
}

const UNKNOWN = html`not available right now`;

function rowIf<Value>(value: Value | null | undefined, row: (value: Value) => [string, Html]): [string, Html][] {
  return value === null || value === undefined ? [] : [row(value)];
}

function status({ status: name, revokedAt, disabledAt }: KeyView): Html {
  const since = name === "revoked" ? revokedAt : name === "disabled" ? disabledAt : undefined;
  return since === undefined ? html`${name}` : html`${name} since ${time(since)}`;
}

function until(at: string, nowMs: number): Html {
  const atMs = Date.parse(at);
  return atMs > nowMs ? html`${time(at)}, in ${daysUntil(atMs, nowMs)}` : html`${time(at)}`;
}

function daysUntil(atMs: number, nowMs: number): string {
  return counted(Math.ceil((atMs - nowMs) / DAY_MS), "day");
}

function refusals({ refusals: found, nowMs }: Account): Html {
  if (found === null) return html`<p>They aren't available right now.</p>`;
  if (found.length === 0) return html`<p>None this month.</p>`;
  const { day: today } = periodAt(nowMs);
  return html`<table>
<tr><th scope="col">Code</th><th scope="col">Today</th><th scope="col">This month</th></tr>
${found.map(
  ({ code, total, days }) =>
    html`<tr><td><a href="/errors/${code}"><code>${code}</code></a></td><td>${number(days.find(({ day }) => day === today)?.requests ?? 0)}</td><td>${number(total)}</td></tr>\n`,
)}</table>`;
}

function rotateForm(): Html {
  return html`<h2 id="rotate">Rotate this key</h2>
<p>You get a new key with the same plan, quota and settings. To confirm it, paste this key again.</p>
<form method="post" action="/account/rotate" class="own-key-form">
${keyField("rotate-key")}
${overlapField("Replace the old key everywhere in that time.")}
<p class="buttons"><button>Rotate</button></p>
</form>`;
}
