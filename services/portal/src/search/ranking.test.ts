import { expect } from "chai";
import MiniSearch from "minisearch";
import { SEARCH_OPTIONS } from "../docs/assets/search-options.js";
import { isPublic } from "../guides/guide-files.ts";
import { servePortal } from "../testing/serve-portal.ts";
import { testDeployment } from "../testing/test-deployment.ts";
import { KEYWORDS } from "./keywords.ts";

const FIRST_USE_TIMEOUT_MS = 30_000;

/** What readers type, and a page or section that must be among the first two results. */
const QUERIES: readonly (readonly [query: string, expected: string])[] = [
  ["billing", "/reference#what-counts"],
  ["what counts as a request", "/reference#what-counts"],
  ["install @geolookup/server", "/back-end#install-a-client"],
  ["not_forwarded", "/back-end#use-geolookupserver"],
  ["laravel", "/back-end#locate-a-visitor"],
  ["behind a proxy", "/back-end#list-your-proxies"],
  ["test in CI", "/back-end#test-your-application"],
  ["mock", "/back-end#test-your-application"],
  ["batch lookup", "/back-end#lookups-of-other-ip-addresses"],
  ["lookup other ip address", "/back-end#lookups-of-other-ip-addresses"],
  ["quota_exceeded", "/errors/quota_exceeded"],
  ["quota exceeded", "/errors/quota_exceeded"],
  // cspell:disable-next-line
  ["unkown key", "/errors/unknown_key"],
  ["generate client", "/back-end#generate-a-client"],
  ["cors", "/reference#authentication"],
  ["react", "/front-end#typescript-bundlers-and-frameworks"],
  ["typescript", "/front-end#typescript-bundlers-and-frameworks"],
  ["npm", "/front-end#typescript-bundlers-and-frameworks"],
  ["csp", "/front-end#content-security-policy"],
  ["gdpr", "/privacy"],
  ["cookie consent", "/privacy"],
  ["https", "/front-end#before-you-go-live"],
  ["mixed content", "/front-end#before-you-go-live"],
  ["currency", "/reference#record"],
  ["rate limit", "/reference#limits"],
  ["cache", "/reference#caching"],
  ["timeout", "/front-end#show-the-page-first"],
  ["postal code", "/reference#record"],
];

describe("the search index of the docs", function () {
  this.timeout(FIRST_USE_TIMEOUT_MS);
  let index: MiniSearch;
  before(async () => {
    await using portal = await servePortal(testDeployment());
    index = MiniSearch.loadJSON(await (await portal.get("/search.json")).text(), SEARCH_OPTIONS);
  });

  it("has keywords for sections that exist", () => {
    for (const id of KEYWORDS.keys()) if (isPublic(id)) expect(index.has(id), id).to.equal(true);
  });

  for (const [query, expected] of QUERIES)
    it(`finds ${expected} for “${query}”`, () => {
      const ids = index.search(query).map(({ id }) => id as string);
      expect(ids.slice(0, 2), ids.slice(0, 8).join(" ")).to.include(expected);
    });
});
