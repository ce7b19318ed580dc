import { expect } from "chai";
import { parsePlans } from "./plans.ts";

describe("a plans file", () => {
  it("holds any number of plans", () => {
    const text = `{"free":{"fields":"free","monthlyRequests":0},"big-1_x":{"fields":"paid","monthlyRequests":5e9}}`;
    expect(parsePlans(text)).to.deep.equal({
      plans: new Map([
        ["free", { fields: "free", monthlyRequests: 0 }],
        ["big-1_x", { fields: "paid", monthlyRequests: 5_000_000_000 }],
      ]),
    });
  });

  const refused: [text: string, ...problems: RegExp[]][] = [
    ["", /not JSON/],
    ["plans", /not JSON/],
    ['{"free":', /not JSON/],
    ["[]", /expected record/],
    ["null", /expected record/],
    ["{}", /at least one plan/],
    ['{"free":7}', /"free": .*expected object/],
    ['{"free":{}}', /"free"."fields": .*"free" or "paid"/, /"free"."monthlyRequests"/],
    ['{"free":{"fields":"all","monthlyRequests":1}}', /"free"."fields"/],
    ['{"free":{"fields":"free","monthlyRequests":-1}}', /whole number from 0/],
    ['{"free":{"fields":"free","monthlyRequests":1.5}}', /whole number from 0/],
    ['{"free":{"fields":"free","monthlyRequests":"10"}}', /whole number from 0/],
    ['{"free":{"fields":"free","monthlyRequests":1e300}}', /whole number from 0|Too big/],
    ['{"free":{"fields":"free","monthlyRequests":1,"price":2}}', /"free": .*"price"/],
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
