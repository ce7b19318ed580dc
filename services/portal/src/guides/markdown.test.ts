import { expect } from "chai";
import { renderMarkdown } from "./markdown.ts";

const resolveLink = (target: string) =>
  target.startsWith("keys.md") ? target.replace("keys.md", "/guides/keys") : null;
const findDiagram = (source: string) => (source === "a --> b" ? "/console/guides/diagrams/0123456789abcdef.svg" : null);
const render = (markdown: string) => renderMarkdown(markdown, { resolveLink, findDiagram }).text.trim();

describe("renderMarkdown", () => {
  const cases: [name: string, markdown: string, markup: string][] = [
    [
      "headings with anchors",
      "# Keys\n## `make up`",
      '<h1 id="keys">Keys</h1>\n<h2 id="make-up"><code>make up</code></h2>',
    ],
    [
      "GitHub's anchors",
      "## It's *so*: A & B, C_d!\n## A\n## A",
      '<h2 id="its-so-a--b-c_d">It&#39;s <em>so</em>: A &amp; B, C_d!</h2>\n<h2 id="a">A</h2>\n<h2 id="a-1">A</h2>',
    ],
    ["anchors that the page's frame doesn't use", "## Content", '<h2 id="content-1">Content</h2>'],
    ["paragraphs", "one\ntwo\n\nthree", "<p>one\ntwo</p>\n<p>three</p>"],
    ["lists", "- one\n  more\n- two", "<ul>\n<li>one\nmore</li>\n<li>two</li>\n</ul>"],
    ["links to the web", "[c](https://d.test/e?f=1&g)", '<p><a href="https://d.test/e?f=1&#38;g">c</a></p>'],
    ["links to other guides", "[**K**](keys.md#rotate)", '<p><a href="/guides/keys#rotate"><strong>K</strong></a></p>'],
    ["links within the page", "[c](#keys)", '<p><a href="#keys">c</a></p>'],
    ["links to files without a page as text", "[`c`](../src/c.ts)", "<p><code>c</code></p>"],
    ["images as their descriptions", "![A <map>](map.png)", "<p>A &#60;map&#62;</p>"],
    [
      "code that can be scrolled with the keyboard",
      "```sh\na < b\n```",
      '<div class="code"><p class="code-head">Shell</p><pre tabindex="0">a &lt; b</pre></div>',
    ],
    [
      "highlighted code",
      '```js\nconst a = "b"; // c\n```',
      '<div class="code"><p class="code-head">JavaScript</p><pre tabindex="0"><span class="hljs-keyword">const</span> a = ' +
        '<span class="hljs-string">&#34;b&#34;</span>; <span class="hljs-comment">// c</span></pre></div>',
    ],
    [
      "placeholders of keys as the places of the reader's own, but not the display forms of keys",
      "```txt\nkey=YOUR_KEY geo_pk_…x7Qp\n```",
      '<div class="code"><p class="code-head">Text</p><pre tabindex="0">key=<span class="own-key">YOUR_KEY</span> geo_pk_…x7Qp</pre></div>',
    ],
    [
      "code in several languages as tabs",
      "```js Node.js\na\n```\n\n```sh PHP\nb\n```\nc",
      '<div class="tabs" data-tabs="Language">\n' +
        '<section><h3>Node.js</h3><div class="code"><p class="code-head">JavaScript</p><pre tabindex="0">a</pre></div></section>\n' +
        '<section><h3>PHP</h3><div class="code"><p class="code-head">Shell</p><pre tabindex="0">b</pre></div></section>\n' +
        "</div>\n<p>c</p>",
    ],
    [
      "other code with titles as tabs that don't count as languages",
      "```js Node.js\na\n```\n\n```csv A file\nb\n```",
      '<div class="tabs" data-tabs="Example">\n' +
        '<section><h3>Node.js</h3><div class="code"><p class="code-head">JavaScript</p><pre tabindex="0">a</pre></div></section>\n' +
        '<section><h3>A file</h3><div class="code"><p class="code-head">CSV</p><pre tabindex="0">b</pre></div></section>\n' +
        "</div>",
    ],
    [
      "a single titled example without tabs",
      "```sh curl\na\n```",
      '<div class="code"><p class="code-head">Shell</p><pre tabindex="0">a</pre></div>',
    ],
    [
      "diagrams as figures, with their source",
      "```mermaid\na --> b\n```",
      '<figure class="diagram"><img src="/console/guides/diagrams/0123456789abcdef.svg" alt="Diagram, described by the source below"></figure>\n' +
        '<details><summary>Diagram source</summary><pre tabindex="0">a --&#62; b</pre></details>',
    ],
    [
      "diagrams without a figure as labeled code",
      "```mermaid\na --> c\n```",
      '<div class="code"><p class="code-head">Diagram source (Mermaid)</p><pre tabindex="0">a --&#62; c</pre></div>',
    ],
    [
      "tables that can be scrolled with the keyboard",
      "| a | b |\n|---|--:|\n| 1 | 2 |",
      '<div class="table scroll" tabindex="0"><table>\n<thead>\n<tr>\n<th scope="col">a</th>\n<th scope="col" align="right">b</th>\n</tr>\n' +
        '</thead>\n<tbody><tr>\n<td>1</td>\n<td align="right">2</td>\n</tr>\n</tbody></table>\n</div>',
    ],
    [
      "tables whose corner is empty, which isn't a header",
      "| | b |\n|---|---|\n| 1 | 2 |",
      '<div class="table scroll" tabindex="0"><table>\n<thead>\n<tr>\n<td></td>\n<th scope="col">b</th>\n</tr>\n' +
        "</thead>\n<tbody><tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody></table>\n</div>",
    ],
  ];
  for (const [name, markdown, markup] of cases) it(`renders ${name}`, () => expect(render(markdown)).to.equal(markup));

  it("says why a publishable key isn't filled into code with a secret key, nor the reverse", () => {
    expect(render("```txt\ngeo_sk_…\n```"))
      .to.include('<span class="own-key secret">geo_sk_…</span></pre><p class="other-kind secret" hidden')
      .and.to.include("Your key is a publishable key");
    expect(render("```txt\ngeo_pk_…\n```"))
      .to.include('<span class="own-key publishable">geo_pk_…</span></pre><p class="other-kind publishable" hidden')
      .and.to.include("Your key is a secret key");
  });

  for (const hostile of [
    "<script>alert(1)</script>",
    "# <img src=x onerror=alert(1)>",
    "- `<b>` **<i>** [<u>](https://a.test/<s>)",
    '[a](https://b.test/"onclick="alert)',
    "[a](javascript:alert(1))",
    "[a](data:text/html,<b>)",
    "[a](//b.test)",
    "![a](https://b.test/c.png)",
    '<img src="https://b.test/c.png"><img src="/console/guides/diagrams/../x.svg">',
    "<style>*{}</style><iframe src=https://a.test></iframe>",
    '<p onclick="alert(1)" style="color: red" class="demo" id="content">a</p>',
    '<a href="javascript:alert(1)">a</a><svg onload=alert(1)>',
    "```html\n</pre><script>\n```",
    "```js <script>\na\n```",
    '<span class="demo hljs-string x" style="color: red" onclick="alert(1)">a</span>',
    "| <script> |\n|---|\n| <img src=x> |",
  ])
    it(`makes no active markup of ${JSON.stringify(hostile)}`, () => {
      const markup = render(hostile);
      expect(markup).to.not.match(
        /<(?!\/?(?:h1|h3|p|ul|li|code|strong|a|pre|div|section|span|table|thead|tbody|tr|th|td)\b)/,
      );
      expect(markup).to.not.match(/<[^>]* (?:on\w+|style|src)=/);
      expect(markup).to.not.match(/<a (?!href="https:\/\/[^"]*">)[^>]*href/);
      expect(markup).to.not.match(/id="content"|class="(?:demo|x)|[" ]x"/);
    });
});
