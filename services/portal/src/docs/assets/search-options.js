// Options of the search index, for the portal that builds it and the browsers that load it.

const SEPARATORS = /[\n\r\p{Z}\p{P}]+/u;
/** Names such as `TRUST_PROXY` and `quota_exceeded`. */
const NAMES = /[A-Za-z]+(?:_[A-Za-z]+)+/g;
const STOP_WORDS = new Set(
  "a an and are as at be by can do does for from how i in is it my of on or the to what with".split(" "),
);
/** Readers look for what to do first, and only then for what was and how it works. */
const BACKGROUND = /^\/(?:changelog|console\/guides\/architecture)\b/;
/** A single word, such as "quota", rather means the rule than its error. */
const ERROR = /^\/errors\//;

/** @type {import("minisearch").Options} */
export const SEARCH_OPTIONS = {
  fields: ["page", "heading", "keywords", "text"],
  storeFields: ["page", "heading", "excerpt"],
  // A name is found by its parts, too.
  tokenize: (text) => [...text.split(SEPARATORS), ...(text.match(NAMES) ?? [])],
  processTerm: (term) => (STOP_WORDS.has(term.toLowerCase()) ? null : term.toLowerCase()),
  searchOptions: {
    boost: { heading: 4, keywords: 8, page: 3 },
    combineWith: "AND",
    prefix: true,
    // Allows one typo in words of four letters or more.
    fuzzy: (term) => (term.length > 3 ? 1 : false),
    tokenize: (text) => [...text.replace(NAMES, " ").split(SEPARATORS), ...(text.match(NAMES) ?? [])],
    boostDocument: (id) => (BACKGROUND.test(id) ? 0.3 : ERROR.test(id) ? 0.7 : 1),
  },
};
