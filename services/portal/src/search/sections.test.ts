import { expect } from "chai";
import { sectionsOf } from "./sections.ts";

describe("sectionsOf", () => {
  const sections = (markup: string) => sectionsOf("/a", "T & U", markup);

  it("splits a page at its anchors", () => {
    const main =
      '<h1 id="a">A &amp; B</h1><p>One <code>two</code>.</p><h2 id="c"><a href="#c">C</a></h2><p>three</p><h3>D</h3><p>four</p>';
    expect(sections(main)).to.deep.equal([
      { id: "/a", page: "T & U", heading: "T & U", text: "A & B One two." },
      { id: "/a#c", page: "T & U", heading: "C", text: "three D four" },
    ]);
  });

  it("separates the words of table cells, but not the highlighted parts of a word", () => {
    const main = '<table><tr><td>a</td><td>b</td></tr></table><pre>c<span class="hljs-string">d</span></pre>';
    expect(sections(main)[0]?.text).to.equal("a b cd");
  });

  it("leaves out the samples of the demo", () => {
    const main = '<section><h1>A</h1><div class="demo-head"><h2 id="b">C</h2></div></section><p>d</p>';
    expect(sections(main)).to.deep.equal([{ id: "/a", page: "T & U", heading: "T & U", text: "A d" }]);
  });

  it("leaves out lists of links, forms and diagrams", () => {
    const main = "<nav>a</nav><form>b</form><details><pre>c</pre></details><p>d &#39;e&#39;</p>";
    expect(sections(main)).to.deep.equal([{ id: "/a", page: "T & U", heading: "T & U", text: "d 'e'" }]);
  });
});
