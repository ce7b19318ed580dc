import { expect } from "chai";
import {
  differenceText,
  type PlanEntries,
  type PlanLimits,
  parsePlans,
  planDifferences,
  planEntries,
  readPlanEntries,
} from "./plans.ts";

describe("a plans file", () => {
  it("can have any number of plans", () => {
    const text = `{"free":{"fields":"free","monthlyRequests":0},"big-1_x":{"fields":"paid","monthlyRequests":5e9}}`;
    expect(parsePlans(text)).to.deep.equal({
      plans: new Map([
        ["free", { fields: "free", monthlyRequests: 0 }],
        ["big-1_x", { fields: "paid", monthlyRequests: 5_000_000_000 }],
      ]),
    });
  });

  it("can list fields, in any order", () => {
    const parsed = parsePlans(`{"own":{"fields":["city","country","city"],"monthlyRequests":1}}`);
    expect(parsed).to.deep.equal({ plans: new Map([["own", { fields: ["country", "city"], monthlyRequests: 1 }]]) });
  });

  const FREE = '"fields":"free","monthlyRequests":1';
  const limits: [text: string, limits: PlanLimits | undefined][] = [
    ["", undefined],
    ['"perCallerHourly":100', { perCallerHourly: 100, rate: null }],
    ['"perSecond":10', { perCallerHourly: null, rate: { perSecond: 10, burst: 10 } }],
    ['"perSecond":10,"burst":1', { perCallerHourly: null, rate: { perSecond: 10, burst: 1 } }],
    [
      '"burst":1000000,"perSecond":1,"perCallerHourly":1000000',
      { perCallerHourly: 1_000_000, rate: { perSecond: 1, burst: 1_000_000 } },
    ],
  ];
  for (const [text, expected] of limits)
    it(`can set the limits {${text}}`, () => {
      const parsed = parsePlans(`{"free":{${[FREE, text].filter(Boolean).join(",")}}}`);
      const plan = { fields: "free", monthlyRequests: 1, ...(expected && { limits: expected }) };
      expect(parsed).to.deep.equal({ plans: new Map([["free", plan]]) });
    });

  const refused: [text: string, ...problems: RegExp[]][] = [
    ["", /not JSON/],
    ["plans", /not JSON/],
    ['{"free":', /not JSON/],
    ["[]", /expected record/],
    ["null", /expected record/],
    ["{}", /at least one plan/],
    ['{"free":7}', /"free": .*expected object/],
    ['{"free":{}}', /"free"."fields": .*"free", "paid" or a list/, /"free"."monthlyRequests"/],
    ['{"free":{"fields":"all","monthlyRequests":1}}', /"free"."fields"/],
    ['{"free":{"fields":[],"monthlyRequests":1}}', /"free"."fields": .*a list of field names/],
    [
      '{"free":{"fields":["city","zip"],"monthlyRequests":1}}',
      /"free"."fields": .*a list of field names, among ip, country/,
    ],
    ['{"free":{"fields":["partial"],"monthlyRequests":1}}', /"free"."fields"/],
    ['{"free":{"fields":"free","monthlyRequests":-1}}', /whole number, 0 or more/],
    ['{"free":{"fields":"free","monthlyRequests":1.5}}', /whole number, 0 or more/],
    ['{"free":{"fields":"free","monthlyRequests":"10"}}', /whole number, 0 or more/],
    ['{"free":{"fields":"free","monthlyRequests":1e300}}', /whole number, 0 or more|Too big/],
    ['{"free":{"fields":"free","monthlyRequests":1,"price":2}}', /"free": .*"price"/],
    ...["perCallerHourly", "perSecond"].flatMap((name) =>
      ["0", "-1", "1.5", '"10"', "null", "1000001"].map((value): [string, RegExp] => [
        `{"a":{${FREE},"${name}":${value}}}`,
        new RegExp(`"a"."${name}": ${name} must be a whole number from 1 to 1000000`),
      ]),
    ),
    [`{"a":{${FREE},"perSecond":1,"burst":0}}`, /"a"."burst": burst must be a whole number from 1 to 1000000/],
    [`{"a":{${FREE},"burst":5}}`, /"a"."burst": burst requires perSecond/],
    [`{"a":{${FREE},"perCallerHourly":5,"burst":5}}`, /"a"."burst": burst requires perSecond/],
    [`{"a":{${FREE},"perHour":5}}`, /"a": .*"perHour"/],
    ['{"Free":{"fields":"free","monthlyRequests":1}}', /"Free": a plan's name/],
    ['{"":{"fields":"free","monthlyRequests":1}}', /"": a plan's name/],
    ['{"_a":{"fields":"free","monthlyRequests":1}}', /"_a": a plan's name/],
    [`{"${"a".repeat(33)}":{"fields":"free","monthlyRequests":1}}`, /a plan's name/],
    [
      '{"a":{"fields":"x","monthlyRequests":1},"b":{"fields":"free","monthlyRequests":-1}}',
      /"a"."fields"/,
      /"b"."monthlyRequests"/,
    ],
  ];
  for (const [text, ...expected] of refused)
    it(`with ${text.slice(0, 70) || "nothing in it"} is refused`, () => {
      const parsed = parsePlans(text);
      const problems = "problems" in parsed ? parsed.problems : [];
      expect(problems).to.have.length(expected.length);
      for (const [index, pattern] of expected.entries()) expect(problems[index]).to.match(pattern);
    });
});

const free = (monthlyRequests: number) => ({ fields: "free" as const, monthlyRequests });
const paid = (monthlyRequests: number) => ({ fields: "paid" as const, monthlyRequests });
/** As in the key log. */
const stored = (entries: PlanEntries): PlanEntries => {
  const read = readPlanEntries(entries);
  if ("problems" in read) throw new Error(read.problems.join());
  return planEntries(read.plans);
};

describe("the differences between two versions of the plans", () => {
  const differences: [what: string, before: PlanEntries, after: PlanEntries, expected: string[]][] = [
    ["nothing", { a: free(5) }, { a: free(5) }, []],
    ["the order", { a: free(5), b: paid(6) }, { b: paid(6), a: free(5) }, []],
    ["a quota", { a: free(5) }, { a: free(6) }, ["a: monthlyRequests 5 → 6"]],
    ["fields", { b: paid(5) }, { b: free(5) }, ["b: fields paid → free"]],
    [
      "a list of fields",
      { b: { ...paid(5), fields: ["country", "city"] } },
      { b: { ...paid(5), fields: ["country"] } },
      ["b: fields country,city → country"],
    ],
    [
      "a list in another order",
      { b: { ...paid(5), fields: ["country", "city"] } },
      { b: { ...paid(5), fields: ["city", "country"] } },
      [],
    ],
    ["a limit", { a: free(5) }, { a: { ...free(5), perCallerHourly: 9 } }, ["a: perCallerHourly not set → 9"]],
    [
      "a rate, whose burst is the rate by default",
      { a: { ...free(5), perSecond: 3 } },
      { a: { ...free(5), perSecond: 4, burst: 4 } },
      ["a: perSecond 3 → 4", "a: burst 3 → 4"],
    ],
    [
      "a removed plan and a new one",
      { a: free(5) },
      { b: paid(5) },
      ['a: removed, was {"fields":"free","monthlyRequests":5}', 'b: new, {"fields":"paid","monthlyRequests":5}'],
    ],
  ];
  for (const [what, before, after, expected] of differences)
    it(what, () => expect(planDifferences(stored(before), stored(after)).map(differenceText)).to.deep.equal(expected));
});
