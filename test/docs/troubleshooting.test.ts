import { globSync, readFileSync } from "node:fs";
import { expect } from "chai";

/** Where messages are written. */
const SOURCES = ["services/*/src/**/*.ts", "{scripts,tools}/**/*.{ts,sh}", "docker-compose.yml"];
/** Not ours, or put together from a file's or program's name. */
const FROM_ELSEWHERE = /\(from (npm|Docker)\)/;

describe("docs/troubleshooting.md quotes messages that exist", () => {
  const sources = globSync(SOURCES, { exclude: (name) => name.endsWith(".test.ts") })
    .map((path) => readFileSync(path, "utf8"))
    .join("\n");
  const rows = readFileSync("docs/troubleshooting.md", "utf8")
    .split("\n")
    .filter((line) => /^\| [`…]/.test(line) && !FROM_ELSEWHERE.test(line));

  it("has rows", () => expect(rows).to.have.length.above(20));

  for (const row of rows) {
    const [, message = ""] = /`([^`]+)`/.exec(row) ?? [];
    it(message, () => {
      for (const words of fixedParts(message)) expect(sources, words).to.include(words);
    });
  }
});

/** The parts of a message that don't vary: values are ports, addresses, files, or written as an ellipsis. */
function fixedParts(message: string): string[] {
  return message
    .split(/…|\b\d[\d.]*\b|\bsecrets\/|\.env\b|\b(?:redis|nats)-server\b|^geo-data:/)
    .map((part) => part.trim())
    .filter((part) => part.length > 3);
}
