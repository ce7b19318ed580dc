import { expect } from "chai";
import type { DatabaseCredit } from "../deployment/deployment-info.ts";
import { creditLink, credits } from "./credits.ts";

function database(attribution: string, attributionUrl = "https://vendor.test"): DatabaseCredit {
  return { name: "a.mmdb", databaseType: "City", buildUnixSeconds: 0, attribution, attributionUrl };
}

describe("creditLink", () => {
  it("links the whole attribution", () =>
    expect(creditLink(database("Data by Vendor")).text).to.equal('<a href="https://vendor.test">Data by Vendor</a>'));

  it("links the URLs in an attribution, without the punctuation after them", () =>
    expect(creditLink(database("by A (https://a.test), B (https://b.test/c) and D, CC BY 4.0")).text).to.equal(
      'by A (<a href="https://a.test">https://a.test</a>), B (<a href="https://b.test/c">https://b.test/c</a>) and D, CC BY 4.0',
    ));

  it("escapes text and URL", () =>
    expect(creditLink(database("<b>", 'https://a.test/"x')).text).to.equal(
      '<a href="https://a.test/&#34;x">&#60;b&#62;</a>',
    ));
});

describe("credits", () => {
  it("has each attribution once, and none for databases that don't require one", () => {
    const texts = credits([database("one"), database(""), database("two"), database("one")]).map(({ text }) => text);
    expect(texts).to.deep.equal(['<a href="https://vendor.test">one</a>', '<a href="https://vendor.test">two</a>']);
  });
});
