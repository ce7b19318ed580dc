import type { DataVersion__Output as DataVersion } from "@geolookup/shared/generated/geolookup/geo/v1/DataVersion.ts";
import type { GetDataStatusResponse__Output as DataStatus } from "@geolookup/shared/generated/geolookup/geo/v1/GetDataStatusResponse.ts";
import type { DatabaseCredit } from "../deployment/deployment-info.ts";
import { type Html, html } from "../html.ts";
import { databaseTable } from "./database-table.ts";
import { time } from "./format.ts";
import type { DataJob } from "./settings.ts";

export const DATA_PATH = "/console/data";

/** What the live part of the Data page shows. */
export interface DataOnPage {
  /** Null if geo is unavailable. */
  databases: readonly DatabaseCredit[] | null;
  /** Null if geo is unavailable, or older than this portal. */
  status: DataStatus | null;
  /** `none`: nothing was started yet. Null: this console can't change the data. */
  job: DataJob | "none" | null;
  nowMs: number;
  /** The CSRF token's field. */
  hidden: Html;
}

/** The databases in use, the installed versions, and the forms or commands that change them. */
export function dataStatusView(page: DataOnPage): Html {
  const { databases, status, job } = page;
  if (databases === null)
    return html`<p class="problem">The geo service is not responding. Reload this page in a moment.</p>`;
  return html`${job === null || job === "none" ? "" : jobView(job, status)}
<h2>In use</h2>
${databaseTable(databases, page.nowMs)}
${status === null ? "" : sourceView(status, page)}`;
}

function sourceView(status: DataStatus, page: DataOnPage): Html {
  if (status.usesNamedFiles)
    return html`<p>These are your own files, set in <code>GEO_DATABASES</code>. To update them, replace the files. New files are checked and in
use within seconds, and damaged ones are refused. <a href="/console/guides/data#your-own-files">Your own files</a></p>`;
  const canChange = page.job !== null;
  const versions = status.versions.toSorted((one, other) => NUMERIC.compare(other.name ?? "", one.name ?? ""));
  return html`${refreshView(status)}
${canChange ? updateForm(page) : COMMANDS}
<h2>Versions</h2>
<div class="table"><table class="versions">
<thead><tr><th scope="col">Version</th><th scope="col">Sources</th><th scope="col">Installed</th><th scope="col">${canChange ? "Action" : "Command"}</th></tr></thead>
<tbody>
${versions.map((version) => versionRow(version, page))}</tbody>
</table></div>
${status.versions.length < 2 ? html`<p class="hint">After the next update, the current version is kept here so that you can roll back to it.</p>` : html`<p class="hint">After a rollback, updates are skipped until the publisher has newer data than the version you rolled back from.</p>`}`;
}

const NUMERIC = new Intl.Collator("en", { numeric: true });

function refreshView({ isRefreshed, refresh }: DataStatus): Html {
  if (!isRefreshed) return html`<p class="note">This data isn't refreshed: <code>GEO_DATA_REFRESH</code> is off.</p>`;
  if (!refresh) return html`<p>The data is refreshed once a day. The first run hasn't finished yet.</p>`;
  const { lastRunAt, lastOutcome, problem, nextRunAt = "" } = refresh;
  const last = lastRunAt
    ? html`Last checked for updates ${time(lastRunAt)}: ${OUTCOMES[lastOutcome ?? ""] ?? ""}. `
    : "";
  return html`<p>${last}The next check is due ${time(nextRunAt)}.</p>
${problem ? html`<p class="problem">${problem}</p>` : ""}`;
}

const OUTCOMES: Readonly<Record<string, string>> = {
  updated: "updated",
  unchanged: "already up to date",
  refused: "refused, because the new data isn't plausible",
  failed: "failed",
};

function updateForm({ job, hidden }: DataOnPage): Html {
  const isRunning = job !== null && job !== "none" && job.state === "running";
  return html`<form method="post" action="${DATA_PATH}/update">${hidden}<button class="primary"${isRunning ? DISABLED : ""}>Check for updates</button></form>`;
}

const DISABLED = html` disabled`;

/** For deployments whose console can't change the data. */
const COMMANDS = html`<p>To check for updates now, run <code>./geolookup data fetch --update</code> where the data is downloaded. To go back to the
previous version, run <code>./geolookup data rollback</code>. No requests fail during either. <a href="/console/guides/data#update-and-roll-back">Update and roll back</a></p>`;

function versionRow(
  { name = "", isInUse = false, installedAt, sources }: DataVersion,
  { job, hidden }: DataOnPage,
): Html {
  const action =
    job === null
      ? html`<code>./geolookup data rollback --to ${name}</code>`
      : html`<form method="post" action="${DATA_PATH}/use">${hidden}<input type="hidden" name="version" value="${name}"><button>Use ${name}</button></form>`;
  return html`<tr><th scope="row">${name}</th><td>${sources.length === 0 ? "not recorded" : sources.join(", ")}</td><td>${installedAt ? time(installedAt) : "–"}</td><td>${isInUse ? html`<span class="badge good">in use</span>` : action}</td></tr>
`;
}

function jobView({ command, state, lines }: DataJob, status: DataStatus | null): Html {
  // A source that can't be reached isn't an error of the command while the data in use is complete.
  const isUnsuccessful = "update" in command && ["failed", "refused"].includes(status?.refresh?.lastOutcome ?? "");
  const what = "update" in command ? "Checking for updates" : `Switching to ${command.version}`;
  const text = {
    running: `${what}…`,
    succeeded: isUnsuccessful ? `${what}: no newer data was installed. The reason is below.` : `${what}: done.`,
    failed: `${what} failed. The current data stays in use.`,
  }[state];
  const percent = state === "running" ? /\((\d{1,3})%\)$/.exec(lines.at(-1) ?? "")?.[1] : undefined;
  return html`<section class="${state === "failed" || (state === "succeeded" && isUnsuccessful) ? "problem" : "success"}" aria-label="Progress"><p role="status">${text}</p>
${percent === undefined ? "" : html`<p><progress max="100" value="${percent}" aria-label="Download">${percent}%</progress></p>`}
${lines.length === 0 ? "" : html`<details${state === "succeeded" ? "" : OPEN}><summary>Output</summary><pre class="output" tabindex="0">${lines.join("\n")}</pre></details>`}
</section>`;
}

const OPEN = html` open`;
