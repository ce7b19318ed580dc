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
  },
};
