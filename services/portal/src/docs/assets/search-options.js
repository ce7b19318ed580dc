// The search index, as the portal makes it and browsers read it.

/** @type {import("minisearch").Options} */
export const SEARCH_OPTIONS = {
  fields: ["page", "heading", "text"],
  storeFields: ["page", "heading", "excerpt"],
  searchOptions: {
    boost: { heading: 4, page: 3 },
    combineWith: "AND",
    prefix: true,
    // One wrong letter in words of four letters or more.
    fuzzy: (term) => (term.length > 3 ? 1 : false),
  },
};
