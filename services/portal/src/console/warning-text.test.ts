import { REFRESH_FAILED } from "@geolookup/shared/runtime/observability/readings.ts";
import { expect } from "chai";
import { groupWarnings, warningText } from "./warning-text.ts";

const markup = (text: string) =>
  warningText(text)
    .map((part) => part.text)
    .join("");

describe("warningText", () => {
  it("shows commands, settings and databases as code", () => {
    expect(
      markup("city.mmdb: old. To fix: run ./geolookup data fetch --update, or replace the files in GEO_DATABASES"),
    ).to.equal(
      "<code>city.mmdb</code>: old. To fix: run <code>./geolookup data fetch --update</code>, or replace the files in <code>GEO_DATABASES</code>",
    );
  });

  it("links guides, and leaves other files as they are", () => {
    expect(markup("choose another (docs/data.md)")).to.equal(
      'choose another (<a href="/console/guides/data">Geo data</a>)',
    );
    expect(markup("(docs/data.md#old-data)")).to.equal('(<a href="/console/guides/data#old-data">Geo data</a>)');
    expect(markup("see docs/missing.md")).to.equal("see docs/missing.md");
  });

  it("links the page with the reason for a failed refresh", () => {
    expect(markup(REFRESH_FAILED)).to.equal('<a href="/console/data">the last refresh of the geo data</a> failed');
  });

  it("escapes markup", () => {
    expect(markup("<b>.mmdb")).to.equal("&#60;b&#62;.mmdb");
  });
});

describe("groupWarnings", () => {
  it("joins a process's warnings that have the same fix", () => {
    const warnings = ["a.mmdb: old. To fix: update", "not ready", "b.mmdb: old. To fix: update"];
    expect(groupWarnings(warnings.map((text) => ({ process: "geo", text })))).to.deep.equal([
      { process: "geo", text: "a.mmdb: old; b.mmdb: old. To fix: update" },
      { process: "geo", text: "not ready" },
    ]);
  });

  it("keeps different processes and fixes apart", () => {
    const warnings = [
      { process: "geo 1", text: "old. To fix: update" },
      { process: "geo 2", text: "old. To fix: update" },
      { process: "geo 2", text: "old. To fix: replace" },
    ];
    expect(groupWarnings(warnings)).to.deep.equal(warnings);
  });
});
