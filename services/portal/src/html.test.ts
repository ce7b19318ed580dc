import { expect } from "chai";
import { html, prose } from "./html.ts";

describe("html", () => {
  it("escapes values in text and attributes", () => {
    const hostile = `<script>"'&`;
    expect(html`<a title="${hostile}">${hostile}</a>`.text).to.equal(
      '<a title="&#60;script&#62;&#34;&#39;&#38;">&#60;script&#62;&#34;&#39;&#38;</a>',
    );
  });

  it("keeps Html values, alone and in lists", () => {
    expect(html`<ul>${["a", "<b>"].map((item) => html`<li>${item}</li>`)}</ul>${html`<hr>`}${7}`.text).to.equal(
      "<ul><li>a</li><li>&#60;b&#62;</li></ul><hr>7",
    );
  });
});

describe("prose", () => {
  it("turns backticks into code, and escapes text and code", () => {
    expect(html`${prose("Send `<KEY>` & go")}`.text).to.equal("Send <code>&#60;KEY&#62;</code> &#38; go");
  });
});
