import type { Reading } from "@geolookup/shared/runtime/observability/readings.ts";
import { type Html, html } from "../html.ts";
import { type ProcessView, type ServiceView, warningsOf } from "./cluster.ts";
import { time } from "./format.ts";
import { warningText } from "./warning-text.ts";

/** The status of every process of the deployment. */
export function clusterView(services: readonly ServiceView[]): Html {
  const warnings = warningsOf(services).length;
  const summary = warnings === 0 ? "No warnings" : `${warnings} ${warnings === 1 ? "warning" : "warnings"}`;
  return html`<p class="summary ${warnings === 0 ? "good" : "bad"}">${summary}</p>
${services.map(
  ({ service, processes }) => html`<section><h2>${service}</h2>
<ul class="processes">
${processes.map(processItem)}</ul>
</section>
`,
)}`;
}

function processItem(process: ProcessView): Html {
  const { address } = process;
  if ("problem" in process)
    return html`<li>${head(address, "bad", "not responding")}<p class="sub">${process.problem}</p></li>\n`;
  const { version, node, isReady, startedUnixSeconds, readings } = process;
  const sorted = [...readings.filter(({ bad }) => bad), ...readings.filter(({ bad }) => !bad)];
  return html`<li>${isReady ? head(address, "good", "ready") : head(address, "bad", "not ready")}
<p class="sub">${version}, Node.js ${node}, up since ${time(new Date(startedUnixSeconds * 1_000).toISOString())}</p>
<ul class="readings">
${sorted.map(readingItem)}</ul></li>
`;
}

function head(address: string, level: "good" | "bad", word: string): Html {
  return html`<p class="process"><code>${address}</code><span class="badge ${level}">${word}</span></p>`;
}

function readingItem({ text, bad }: Reading): Html {
  return bad ? html`<li class="bad"><strong>Warning:</strong> ${warningText(text)}</li>\n` : html`<li>${text}</li>\n`;
}
