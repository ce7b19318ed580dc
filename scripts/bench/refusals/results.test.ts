import { expect } from "chai";
import { asMarkdown, refusedOnly } from "./results.ts";

const GATEWAY = { name: "gateway", microsPerResponse: [30, 20, 25], outcomes: { "200": 4, "500": 96 } };
const BARE = { name: "node-net", microsPerResponse: [12, 12, 13], outcomes: { "200": 1_000 } };

describe("the results of --refusals", () => {
  it("are valid if the gateway refused nearly all requests, and the others none", () => {
    expect(refusedOnly("gateway", [GATEWAY, BARE])).to.equal(true);
  });

  for (const [name, results] of Object.entries({
    "a twentieth was served": [{ ...GATEWAY, outcomes: { "200": 5, "500": 95 } }, BARE],
    "nothing was refused": [{ ...GATEWAY, outcomes: {} }, BARE],
    "a connection ended": [{ ...GATEWAY, outcomes: { ...GATEWAY.outcomes, ECONNRESET: 1 } }, BARE],
    "another server refused a request": [GATEWAY, { ...BARE, outcomes: { ...BARE.outcomes, "500": 1 } }],
    "another server didn't respond": [GATEWAY, { ...BARE, outcomes: {} }],
  }))
    it(`aren't valid if ${name}`, () => {
      expect(refusedOnly("gateway", results)).to.equal(false);
    });

  it("show the median and the range of all rounds", () => {
    const lines = asMarkdown([GATEWAY, BARE]).split("\n");
    expect(lines.slice(2)).to.deep.equal([
      "| gateway | 25.0 (20.0–30.0) | 4 × 200, 96 × 500 |",
      "| node-net | 12.0 (12.0–13.0) | 1000 × 200 |",
      "",
    ]);
  });
});
