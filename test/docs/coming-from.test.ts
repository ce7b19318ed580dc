import { readFileSync } from "node:fs";
import { expect } from "chai";
import { FIELDS } from "../../services/shared/src/domain/record.ts";

const PAGE = readFileSync("docs/site/coming-from.md", "utf8");
const HERE = "This API";

/** Each table with a column for this API: its heading, and what its rows name in that column. */
function tables(): { heading: string; fields: string[] }[] {
  return PAGE.split(/^## /m).flatMap((section) => {
    const [titles = [], , ...rows] = [...section.matchAll(/^\|(.*)\|$/gm)].map(([, row = ""]) => row.split("|"));
    const column = titles.findIndex((title) => title.trim() === HERE);
    if (column < 0) return [];
    const fields = rows.flatMap((row) => [...(row[column] ?? "").matchAll(/`(.+?)`/g)].map(([, field = ""]) => field));
    return [{ heading: section.split("\n", 1)[0] ?? "", fields }];
  });
}

describe("docs/site/coming-from.md", () => {
  const known: readonly string[] = [...FIELDS, "partial"];

  it("compares four services", () =>
    expect(tables().map(({ heading }) => heading)).to.deep.equal(["IPinfo", "ipdata", "ipapi", "Cloudflare"]));

  for (const { heading, fields } of tables())
    it(`${heading}: names fields of the record, each once`, () => {
      expect(fields.filter((field) => !known.includes(field))).to.deep.equal([]);
      expect(fields).to.have.lengthOf(new Set(fields).size);
    });

  it("Cloudflare: names every field, since its names are the same", () =>
    expect(tables().at(-1)?.fields).to.have.members([...FIELDS]));

  it("has JavaScript for names of currencies and local times that runs", () => {
    const [currency = "", time = ""] = Array.from(PAGE.matchAll(/In JavaScript: `(.*?)`/g), ([, code = ""]) => code);
    const run = (code: string) => new Function("timezone", `return ${code};`)("Asia/Tokyo");
    expect(run(currency)).to.equal("Euro");
    const tokyo = new Date(`${run(time)} GMT+9`).getTime();
    expect(tokyo).to.be.closeTo(Date.now(), 60_000);
  });
});
