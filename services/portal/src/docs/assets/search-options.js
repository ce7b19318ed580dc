// Options of the search index, for the portal that builds it and the browsers that load it.

/** @type {import("minisearch").Options} */
export const SEARCH_OPTIONS = {
  fields: ["page", "heading", "text"],
  storeFields: ["page", "heading", "excerpt"],
  searchOptions: {
    boost: { heading: 4, page: 3 },
    combineWith: "AND",
    prefix: true,
    // Allows one typo in words of four letters or more.
    fuzzy: (term) => (term.length > 3 ? 1 : false),
    // Readers look for what to do first, and only then for why it is so.
    boostDocument: (id) => (/^\/(guides\/decisions|changelog)\b/.test(id) ? 0.3 : 1),
  },
};
