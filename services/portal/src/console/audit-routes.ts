import { pipeline } from "node:stream/promises";
import type { AuditEntryView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { type Request, type Response, Router } from "express";
import type { AuditFilter } from "../deployment/backend.ts";
import { type Html, html } from "../html.ts";
import { requireRole } from "./access.ts";
import { backendOf, type ConsoleContext, sessionOf } from "./context.ts";
import { isCustomerId } from "./customer-pages.ts";
import { isKeyId } from "./fields.ts";
import { listTable, pageLinks, time } from "./format.ts";
import { queryOf } from "./forms.ts";
import { sendPage } from "./frame.ts";
import type { Streams } from "./streams.ts";

const AUDIT_PATH = "/console/audit";
const PAGE_SIZE = 50;
const DOWNLOAD_PAGE_SIZE = 1_000;
const NAMES = ["by", "action", "subject", "since", "until"] as const;
const MAX_LENGTH = 100;

type Query = Readonly<Record<(typeof NAMES)[number], string>>;

/** The audit trail: who changed what, newest first, with filters and a download. */
export function auditRoutes(context: ConsoleContext, streams: Streams): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get("/audit", requireRole("operator"), async (req: Request, res: Response) => {
    const query = readQuery(req.url);
    const after = queryOf(req.url).get("after") ?? "";
    const page = await backendOf(res).auditEntries(filterOf(query), { size: PAGE_SIZE, token: after });
    sendPage(res, context, "Audit trail", auditPage({ ...page, query, after }), { path: AUDIT_PATH });
  });
  router.get("/audit.ndjson", requireRole("operator"), (req: Request, res: Response) =>
    streams.export(res, sessionOf(res), async () => {
      const filter = filterOf(readQuery(req.url));
      const first = await backendOf(res).auditEntries(filter, { size: DOWNLOAD_PAGE_SIZE, token: "" });
      // In this order: attachment sets a type, too, and gateways only give this one more than 30 s.
      res.attachment("audit.ndjson").type("application/x-ndjson");
      await pipeline(lines(first), res);

      async function* lines(page: typeof first): AsyncGenerator<string> {
        for (;;) {
          for (const entry of page.entries) yield `${JSON.stringify(entry)}\n`;
          if (page.nextPageToken === "") return;
          page = await backendOf(res).auditEntries(filter, { size: DOWNLOAD_PAGE_SIZE, token: page.nextPageToken });
        }
      }
    }),
  );
  return router;
}

function readQuery(url: string): Query {
  const query = queryOf(url);
  const entries = NAMES.map((name) => [name, (query.get(name) ?? "").trim().slice(0, MAX_LENGTH)]);
  return Object.fromEntries(entries) as Query;
}

/** Days become times: `until` includes its whole day. */
function filterOf({ since, until, ...query }: Query): AuditFilter {
  const start = (day: string) => (/^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T00:00:00Z` : day);
  const end = (day: string) => (/^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T23:59:59.999Z` : day);
  return { ...query, since: start(since), until: end(until) };
}

function textOf(query: Query, more: Readonly<Record<string, string>> = {}): string {
  return new URLSearchParams(Object.entries({ ...query, ...more }).filter(([, value]) => value !== "")).toString();
}

function auditPage(page: {
  entries: readonly AuditEntryView[];
  nextPageToken: string;
  query: Query;
  after: string;
}): Html {
  const { entries, nextPageToken, query, after } = page;
  const input = (name: (typeof NAMES)[number], label: string, type = "text") =>
    html`<label>${label} <input type="${type}" name="${name}" value="${query[name]}" maxlength="${MAX_LENGTH}" autocomplete="off" spellcheck="false"></label>\n`;
  return html`<div class="title-row"><h1>Audit trail</h1><a class="button" href="${AUDIT_PATH}.ndjson?${textOf(query)}">Download NDJSON</a></div>
<form class="filter" method="get" action="${AUDIT_PATH}" role="search">
${input("by", "Operator")}${input("action", "Action")}${input("subject", "Subject")}${input("since", "From", "date")}${input("until", "To", "date")}<button>Filter</button>
</form>
${
  entries.length === 0
    ? html`<div class="empty"><p>No entries${textOf(query) === "" ? " yet" : " match"}.</p></div>`
    : listTable(
        ["Time", "Operator", "Action", "Subject", "Change"],
        entries.map(({ at, by, action, subject, before, after: now, count }) => [
          time(at),
          by === "" ? "–" : by,
          html`${action}${count > 1 ? html`<span class="sub">${count} times</span>` : ""}`,
          subjectLink(action, subject),
          changeText(before, now),
        ]),
      )
}
${pageLinks({ after, next: nextPageToken, linkTo: (from) => `${AUDIT_PATH}?${textOf(query, { after: from })}` })}`;
}

function subjectLink(action: string, subject: string): Html {
  if (isKeyId(subject)) return html`<a href="/console/keys/${subject}"><code>${subject}</code></a>`;
  const customer = subject.replace(/^customer_/, "");
  if (action.startsWith("Customer") && isCustomerId(customer))
    return html`<a href="/console/customers/${customer}">${customer}</a>`;
  return html`${subject}`;
}

/** Each changed property, with its value before and after. */
function changeText(before: unknown, after: unknown): Html {
  const [old, now] = [before, after].map((value) => (value ?? {}) as Readonly<Record<string, unknown>>) as [
    Readonly<Record<string, unknown>>,
    Readonly<Record<string, unknown>>,
  ];
  const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return html`${names.map(
    (name) =>
      html`<span class="sub">${name}: ${name in old ? html`<del>${text(old[name]) ?? ""}</del> ` : ""}${name in now ? (text(now[name]) ?? "") : ""}</span>`,
  )}`;
}
