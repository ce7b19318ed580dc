import { expect } from "chai";
import fc from "fast-check";
import { keysCsv, parseKeysCsv } from "./key-csv.ts";

const NOW = Date.UTC(2026, 10, 29);
const parse = (text: string | Uint8Array) =>
  parseKeysCsv(typeof text === "string" ? Buffer.from(text) : text, "keys.csv", NOW);

describe("keys in a CSV file", () => {
  it("reads columns in any order, quotes, and lists in a cell", () => {
    const text = `label,kind,origins,expires,metadata.team,plan,forward,customer
"Shop, the ""new"" one",publishable,"https://a.example, https://b.example",30d,web,free,no,
Server,secret,,2027-01-01,,,yes,acme
`;
    expect(parse(text).map(({ place, request }) => ({ place, ...request }))).to.deep.equal([
      {
        place: "line 2",
        kind: "publishable",
        plan: "free",
        label: 'Shop, the "new" one',
        origins: ["https://a.example", "https://b.example"],
        expiresAt: "2026-12-29T00:00:00.000Z",
        customer: "",
        metadata: { team: "web" },
      },
      {
        place: "line 3",
        kind: "secret",
        plan: "",
        label: "Server",
        origins: [],
        mayForward: true,
        expiresAt: "2027-01-01T00:00:00.000Z",
        customer: "acme",
        metadata: {},
      },
    ]);
  });

  it("reads what spreadsheets write: a byte order mark, CRLF, and empty lines", () => {
    const [row, ...others] = parse("\uFEFFkind,plan\r\n\r\nsecret,paid\r\n");
    expect([row?.place, row?.request.kind, row?.request.plan, others]).to.deep.equal(["line 3", "secret", "paid", []]);
  });

  it("names each invalid line", () => {
    const text = "kind,plan,expires,forward\nsecret,paid,,\npublic,paid,,\nsecret,paid,soon,perhaps\n";
    expect(() => parse(text))
      .to.throw("keys.csv is invalid, so nothing was changed:\n")
      .with.property("message")
      .match(
        /\n {2}line 3: kind must be .*\n {2}line 4: forward must be yes or no\n {2}line 4: expires must be a date/,
      );
  });

  it("names at most 20 lines", () => {
    const { message } = caught(() => parse(`kind\n${"x\n".repeat(50)}`));
    expect(message.split("\n")).to.have.length(22);
    expect(message).to.include("and 30 more");
  });

  for (const [what, text, message] of [
    ["no keys", "kind\n", /has no keys/],
    ["nothing", "", /has no keys/],
    ["unknown columns", "kind,plans\nsecret,paid\n", /"plans" isn't a column.*names the columns: kind, plan/],
    ["a column twice", "kind,kind\nsecret,secret\n", /kind is there twice/],
    ["no kinds", "plan\npaid\n", /column kind is missing/],
    ["keys without IDs", "kind,key\nsecret,x\n", /of key_id and key, one is missing/],
    ["an ID without its key", "kind,key_id,key\nsecret,key_1,\n", /line 2: key_id and key are needed/],
    ["more cells than columns", "kind,plan\nsecret,paid,x\n", /line 2: Invalid Record Length/],
    ["an open quote", 'kind,label\nsecret,"open\n', /Quote Not Closed/],
    ["text behind a quote", 'kind,label\nsecret,"a"b\n', /line 2: Invalid Closing Quote/],
    ["a NUL", "kind,label\nsecret,a\0b\n", /contains a NUL/],
    ["a huge line", `kind,label\nsecret,${"x".repeat(100_000)}\n`, /Max Record Size/],
    ["a huge header", `${"x".repeat(1_000_000)}\n`, /Max Record Size/],
    ["a million columns", `kind${",x".repeat(1_000_000)}\n`, /Max Record Size/],
    ["too many lines", `kind\n${"secret\n".repeat(100_001)}`, /more than 100000 keys/],
    ["too many bytes", `kind\n${" ".repeat(2 ** 25)}`, /too large/],
    ["another encoding", Buffer.from("kind,label\nsecret,L\xe4den\n", "latin1"), /isn't a CSV file in UTF-8/],
    ["UTF-16", Buffer.from("\uFEFFkind\nsecret\n", "utf16le"), /isn't a CSV file in UTF-8/],
  ] as const)
    it(`refuses a file with ${what}`, () => {
      expect(caught(() => parse(text)).message)
        .to.match(message)
        .and.have.length.below(3_000);
    });

  it("writes no cell that a spreadsheet takes for a formula", () => {
    for (const label of ["=1+1", "+1", "-1", "@SUM(A1)"]) {
      const [row] = parse(`kind,label\nsecret,"${label}"\n`);
      expect(row && keysCsv([row])).to.include(`,'${label},`);
    }
  });

  it("reads what it wrote, whatever is in it", () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("=1+1", "'=1", "''@x", "-1", "'", "a\nb", 'a"b'),
    );
    const cell = text.map((each) => each.replaceAll("\0", "").trim());
    fc.assert(
      fc.property(fc.array(fc.record({ label: cell, value: cell }), { minLength: 1 }), (cells) => {
        const rows = cells.map(({ label, value }, index) => ({
          place: "",
          request: {
            ...{ kind: "secret", plan: "paid", label, origins: [], expiresAt: "2027-01-01T00:00:00.000Z" },
            ...{ customer: "", metadata: value === "" ? {} : { note: value } },
          },
          isExpiryRelative: false,
          prepared: { keyId: `key_${index}`, secret: `geo_sk_${index}` },
        }));
        const read = parse(keysCsv(rows));
        expect(read.map(({ request, prepared }) => ({ request, prepared }))).to.deep.equal(
          rows.map(({ request, prepared }) => ({ request, prepared })),
        );
      }),
    );
  });
});

function caught(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was thrown");
}
