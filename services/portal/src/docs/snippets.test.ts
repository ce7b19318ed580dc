import { expect } from "chai";
import { snippetTabs } from "./snippets.ts";

describe("the snippets' tabs", () => {
  it("are rendered once per API address: under many page requests, highlighting would block all other requests", () => {
    const [one, other] = ["https://one.example", "https://other.example"];
    const tabs = snippetTabs(one);
    expect(snippetTabs(one)).to.equal(tabs);
    expect(tabs.text).to.include(`${one}/v1/geo`);
    expect(tabs.text).to.not.include("OWN_QUERY");
    expect(snippetTabs(other).text).to.include(`${other}/v1/geo`).and.not.include(one);
    expect(snippetTabs(one).text).to.equal(tabs.text);
  });
});
