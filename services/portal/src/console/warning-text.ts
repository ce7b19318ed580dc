import { TO_FIX } from "@geolookup/shared/domain/old-data.ts";
import { REFRESH_FAILED } from "@geolookup/shared/runtime/observability/readings.ts";
import { GUIDES_NAV } from "../docs/nav.ts";
import { type Html, html } from "../html.ts";

interface Warning {
  process: string;
  text: string;
}

/** Commands, settings, and files that warnings name. */
const SPECIAL =
  /(make [a-z-]+|\.\/geolookup (?:(?:data|keys|rotate|usage|kubernetes) )?[a-z-]+(?: --[a-z-]+)?|[A-Z]+_[A-Z_]+|[\w.-]+\.mmdb|docs\/[a-z-]+\.md(?:#[a-z-]+)?|the last refresh of the geo data)/;

/** A warning of a process, with its commands as code, and links to the guides that it names. */
export function warningText(text: string): Html[] {
  return text.split(SPECIAL).map((part, index) => (index % 2 === 0 ? html`${part}` : special(part)));
}

function special(part: string): Html {
  // The console's page has the reason.
  if (REFRESH_FAILED.startsWith(part)) return html`<a href="/console/data">${part}</a>`;
  const [, guide, anchor = ""] = /^docs\/([a-z-]+)\.md(#.+)?$/.exec(part) ?? [];
  if (guide === undefined) return html`<code>${part}</code>`;
  const path = `/console/guides/${guide}`;
  const page = GUIDES_NAV.flatMap(({ pages }) => pages).find((each) => each.path === path);
  return page ? html`<a href="${path}${anchor}">${page.label}</a>` : html`${part}`;
}

/** Warnings of a process that have the same fix become one, such as those about several old databases. */
export function groupWarnings(warnings: readonly Warning[]): Warning[] {
  const groups = new Map<string, { process: string; findings: string[]; fix: string }>();
  for (const { process, text } of warnings) {
    const at = text.indexOf(TO_FIX);
    const [finding, fix] = at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at)];
    // Without a fix, a warning stays alone.
    const id = JSON.stringify([process, fix || finding]);
    const group = groups.get(id) ?? { process, findings: [], fix };
    group.findings.push(finding);
    groups.set(id, group);
  }
  return [...groups.values()].map(({ process, findings, fix }) => ({ process, text: findings.join("; ") + fix }));
}
