import { expect } from "chai";
import { splitLine } from "./line.ts";

describe("a line of a geofeed", () => {
  const line = (...[prefix = "", country = "", region = "", city = "", postalCode = ""]: string[]) => ({
    prefix,
    country,
    region,
    city,
    postalCode,
    hasMore: false,
  });
  const cases: Record<string, [string, ReturnType<typeof splitLine>]> = {
    "has five fields": ["1.2.3.0/24,US,US-WA,Seattle,98101", line("1.2.3.0/24", "US", "US-WA", "Seattle", "98101")],
    "may leave fields empty": ["1.2.3.0/24,,,,", line("1.2.3.0/24")],
    "may end early": ["1.2.3.0/24,US", line("1.2.3.0/24", "US")],
    "may have blanks around fields": [
      " 1.2.3.0/24 , US,\tUS-WA , New York ,",
      line("1.2.3.0/24", "US", "US-WA", "New York"),
    ],
    "may end in a carriage return": ["1.2.3.0/24,US\r", line("1.2.3.0/24", "US")],
    "may end in a comment": ["1.2.3.0/24,US,,, # office, old", line("1.2.3.0/24", "US")],
    "may be blank": [" \t\r", null],
    "may be a comment": ["# prefix,country", null],
    "may be a comment behind blanks": ["  # prefix", null],
    "may have fields in quotation marks": [
      '"1.2.3.0/24", "US" ,"US-DC","Washington, D.C."," "',
      line("1.2.3.0/24", "US", "US-DC", "Washington, D.C."),
    ],
    "doubles quotation marks within them": [
      '1.2.3.0/24,US,,"The ""Rock""",',
      line("1.2.3.0/24", "US", "", 'The "Rock"'),
    ],
    "keeps letters beyond ASCII": [
      "1.2.3.0/24,CH,CH-ZH,Zürich,8002",
      line("1.2.3.0/24", "CH", "CH-ZH", "Zürich", "8002"),
    ],
    "tells that it has more fields": [
      "1.2.3.0/24,US,US-DC,Washington, D.C.,20001",
      { ...line("1.2.3.0/24", "US", "US-DC", "Washington", "D.C."), hasMore: true },
    ],
    "may have commas too many": ["1.2.3.0/24,US,,,,,,", line("1.2.3.0/24", "US")],
    "is refused with half a pair of quotation marks": [
      '1.2.3.0/24,"US',
      "its quotation marks are unbalanced or inside a field",
    ],
    "is refused with text behind quotation marks": [
      '1.2.3.0/24,"U"S',
      "its quotation marks are unbalanced or inside a field",
    ],
    "is refused with quotation marks inside a field": [
      '1.2.3.0/24,U"S"',
      "its quotation marks are unbalanced or inside a field",
    ],
    "is refused when it is too long": [`1.2.3.0/24,${"U".repeat(1_000)}`, "it is longer than 1000 characters"],
  };
  for (const [name, [text, expected]] of Object.entries(cases))
    it(name, () => {
      expect(splitLine(text)).to.deep.equal(expected);
    });
});
