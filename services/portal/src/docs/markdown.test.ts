import { expect } from "chai";
import { renderMarkdown } from "./markdown.ts";

describe("renderMarkdown", () => {
  const cases: [name: string, markdown: string, markup: string][] = [
    [
      "headings",
      "# Changelog\n## [Unreleased]\n### Added",
      "<h1>Changelog</h1>\n<h2>Unreleased</h2>\n<h3>Added</h3>\n",
    ],
    ["paragraphs over several lines", "one\ntwo\n\nthree", "<p>one two</p>\n<p>three</p>\n"],
    [
      "lists, with items over several lines",
      "- one\n  more\n- two\n\nafter",
      "<ul>\n<li>one more</li>\n<li>two</li>\n</ul>\n<p>after</p>\n",
    ],
    ["a list right after a paragraph", "before\n* one", "<p>before</p>\n<ul>\n<li>one</li>\n</ul>\n"],
    [
      "code, links and bold text",
      "`a` **b** [c](https://d.test/e)",
      '<p><code>a</code> <strong>b</strong> <a href="https://d.test/e">c</a></p>\n',
    ],
    ["links within the repository as their text", "[c](docs/d.md)", "<p>c</p>\n"],
    ["lines that end as on Windows", "one\r\n\r\ntwo", "<p>one</p>\n<p>two</p>\n"],
  ];
  for (const [name, markdown, markup] of cases)
    it(`renders ${name}`, () => expect(renderMarkdown(markdown).text).to.equal(markup));

  for (const hostile of [
    "<script>alert(1)</script>",
    "# <img src=x onerror=alert(1)>",
    "- `<b>` **<i>** [<u>](https://a.test/<s>)",
    '[a](https://b.test/"onclick="alert)',
    "[a](javascript:alert(1))",
    "[a](data:text/html,<b>)",
  ])
    it(`makes no markup of ${hostile}`, () => {
      const markup = renderMarkdown(hostile).text;
      expect(markup).to.not.match(/<(?!\/?(?:h1|p|ul|li|code|strong|a)\b)/);
      expect(markup).to.not.match(/<a (?!href="https:\/\/[^"]*">)/);
    });
});
