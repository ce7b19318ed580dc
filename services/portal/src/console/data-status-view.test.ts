import { expect } from "chai";
import { html } from "../html.ts";
import { type DataOnPage, dataStatusView } from "./data-status-view.ts";

const DATABASE = {
  name: "city.mmdb",
  databaseType: "GeoLite2-City",
  buildUnixSeconds: Date.UTC(2026, 5, 20) / 1_000,
  attribution: "",
  attributionUrl: "",
};
const version = (name: string, isInUse: boolean) => ({
  name,
  isInUse,
  installedAt: "2026-06-21T10:00:00Z",
  sources: ["GeoLite2-City 20260620"],
});
const PAGE: DataOnPage = {
  databases: [DATABASE],
  status: {
    isRefreshed: true,
    versions: [version("v1", false), version("v2", true)],
    refresh: {
      nextRunAt: "2026-06-30T10:00:00Z",
      lastRunAt: "2026-06-29T10:00:00Z",
      lastOutcome: "refused",
      problem: "too few places",
    },
  },
  job: "none",
  nowMs: Date.UTC(2026, 5, 30),
  hidden: html``,
};
const shown = (changes: Partial<DataOnPage> = {}) => dataStatusView({ ...PAGE, ...changes }).text;

describe("dataStatusView", () => {
  it("shows the versions by number, latest first, or by when they were installed", () => {
    const v10 = { ...version("v10", false), installedAt: "2026-06-01T10:00:00Z" };
    const status = { ...PAGE.status, versions: [version("v9", true), v10] } as DataOnPage["status"];
    const names = (page: Partial<DataOnPage>) =>
      [...shown({ status, ...page }).matchAll(/<th scope="row">(v\d+)/g)].map(([, name]) => name);
    expect(names({})).to.deep.equal(["v10", "v9"]);
  });

  it("says what to do if there are no databases", () => {
    expect(shown({ databases: [] }))
      .to.include("No databases")
      .and.include("./geolookup data fetch")
      .and.not.include("Built");
  });

  it("shows ages, versions with their sources, and the last refresh", () => {
    expect(shown())
      .to.include("10 days")
      .and.include("GeoLite2-City 20260620")
      .and.include("refused, because the new data isn")
      .and.include("too few places")
      .and.include("<button>Use v1</button>")
      .and.not.include("<button>Use v2</button>");
  });

  it("shows the commands if the console can't change the data, and how to update your own files", () => {
    expect(shown({ job: null }))
      .to.include("./geolookup data fetch --update")
      .and.include("./geolookup data rollback --to v1")
      .and.not.include("<form");
    expect(shown({ status: { usesNamedFiles: true, versions: [] } as never }))
      .to.include("GEO_DATABASES")
      .and.not.include("<form");
    expect(shown({ status: null }))
      .to.include("GeoLite2-City")
      .and.not.include("<form");
    expect(shown({ databases: null })).to.include("geo service is not responding");
  });

  it("shows a command's progress and result", () => {
    const job = { command: { update: true } as const, lines: ["city: 3.0 of 6.0 MB (50%)"] };
    expect(shown({ job: { ...job, state: "running" } }))
      .to.include('<progress max="100" value="50"')
      .and.include(" disabled>Check for updates");
    const upToDate = { ...PAGE.status, refresh: { lastOutcome: "unchanged" } } as DataOnPage["status"];
    expect(shown({ job: { ...job, state: "succeeded" }, status: upToDate }))
      .to.include("Checking for updates: done.")
      .and.not.include("<progress");
    expect(shown({ job: { ...job, state: "succeeded" } }))
      .to.include("no newer data was installed")
      .and.not.include("done.");
    expect(shown({ job: { ...job, command: { version: "v1" }, lines: ["<b>"], state: "failed" } }))
      .to.include("Switching to v1 failed. The current data stays in use.")
      .and.include("&#60;b&#62;");
  });
});
