import { expect } from "chai";
import MiniSearch from "minisearch";
import { SEARCH_OPTIONS } from "../docs/assets/search-options.js";
import { servePortal } from "../testing/serve-portal.ts";
import { testDeployment } from "../testing/test-deployment.ts";
import { KEYWORDS } from "./keywords.ts";

const FIRST_USE_TIMEOUT_MS = 30_000;

/** What readers type, and a page or section that must be among the first two results. */
const QUERIES: readonly (readonly [query: string, expected: string])[] = [
  ["billing", "/limits#what-counts"],
  ["what counts as a request", "/limits#what-counts"],
  ["install @geolookup/server", "/guides/server-package#install"],
  ["not_forwarded", "/guides/server-package#errors"],
  ["paused", "/guides/server-package#errors"],
  ["test in CI", "/guides/back-end#test-your-application"],
  ["mock", "/guides/back-end#test-your-application"],
  ["batch lookup", "/guides/back-end#lookups-of-other-ip-addresses"],
  ["lookup other ip address", "/guides/back-end#lookups-of-other-ip-addresses"],
  ["secret key", "/guides/keys#publishable-and-secret-keys"],
  ["forward visitors", "/guides/keys#forward-visitors"],
  ["quota_exceeded", "/errors/quota_exceeded"],
  ["quota exceeded", "/errors/quota_exceeded"],
  // cspell:disable-next-line
  ["unkown key", "/errors/unknown_key"],
  ["load balancer", "/guides/proxies#behind-a-load-balancer-or-cdn"],
  ["nginx geo header", "/guides/proxies#nginx"],
  ["generate client", "/guides/back-end#generate-a-client"],
  ["how to rotate signing key", "/guides/operations#rotate-secrets"],
  ["cors", "/reference#authentication"],
  ["react", "/guides/front-end#typescript-bundlers-and-frameworks"],
  ["typescript", "/guides/front-end#typescript-bundlers-and-frameworks"],
  ["npm", "/guides/front-end#typescript-bundlers-and-frameworks"],
  ["csp", "/guides/content-security-policy"],
  ["gdpr", "/privacy"],
  ["cookie consent", "/privacy"],
  ["https", "/guides/front-end#before-you-go-live"],
  ["mixed content", "/guides/front-end#before-you-go-live"],
  ["currency", "/fields"],
  ["rate limit", "/limits"],
  ["cache", "/limits#caching"],
  ["timeout", "/guides/front-end#show-the-page-first"],
  ["postal code", "/fields"],
  ["rollback geo data", "/guides/data#update-and-roll-back"],
  ["change port", "/guides/configuration#ports-and-tls"],
  ["prometheus", "/guides/metrics"],
  ["health check", "/guides/configuration#ports-and-tls"],
  ["memory usage", "/guides/capacity#memory"],
  ["TRUST_PROXY", "/guides/configuration#callers-and-limits"],
  ["two instances", "/guides/cluster"],
];

describe("the search index of the docs", function () {
  this.timeout(FIRST_USE_TIMEOUT_MS);
  let index: MiniSearch;
  before(async () => {
    await using portal = await servePortal(testDeployment());
    index = MiniSearch.loadJSON(await (await portal.get("/search.json")).text(), SEARCH_OPTIONS);
  });

  it("has keywords for sections that exist", () => {
    for (const id of KEYWORDS.keys()) expect(index.has(id), id).to.equal(true);
  });

  for (const [query, expected] of QUERIES)
    it(`finds ${expected} for “${query}”`, () => {
      const ids = index.search(query).map(({ id }) => id as string);
      expect(ids.slice(0, 2), ids.slice(0, 8).join(" ")).to.include(expected);
    });
});
