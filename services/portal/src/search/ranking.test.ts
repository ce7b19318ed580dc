import { expect } from "chai";
import MiniSearch from "minisearch";
import { SEARCH_OPTIONS } from "../docs/assets/search-options.js";
import { isPublic } from "../guides/guide-files.ts";
import { servePortal } from "../testing/serve-portal.ts";
import { testDeployment } from "../testing/test-deployment.ts";
import { KEYWORDS } from "./keywords.ts";

const FIRST_USE_TIMEOUT_MS = 30_000;

/** What customers type, and the page or section that must be the first result. */
const QUERIES: readonly (readonly [query: string, expected: string])[] = [
  ["expire key", "/reference#authentication"],
  ["api key header", "/reference#authentication"],
  ["bearer token", "/reference#authentication"],
  ["publishable key", "/reference#kinds"],
  ["allowed origins", "/reference#origins"],
  ["cors", "/front-end#make-the-first-request"],
  ["quota", "/reference#limits"],
  ["rate limit", "/reference#limits"],
  ["pricing plans", "/reference#plans"],
  ["billing", "/reference#what-counts"],
  ["what counts as a request", "/reference#what-counts"],
  ["cache", "/reference#caching"],
  ["currency", "/reference#record"],
  ["postal code", "/reference#record"],
  ["zip", "/reference#record"],
  ["timezone", "/reference#record"],
  ["latitude longitude", "/reference#record"],
  ["asn", "/reference#record"],
  ["401", "/errors"],
  ["429", "/errors"],
  ["status codes", "/errors"],
  ["quota_exceeded", "/errors/quota_exceeded"],
  ["quota exceeded", "/errors/quota_exceeded"],
  ["missing key", "/errors/missing_key"],
  ["origin not allowed", "/errors/origin_not_allowed"],
  // cspell:disable-next-line
  ["unkown key", "/errors/unknown_key"],
  ["batch", "/back-end#lookups-of-other-ip-addresses"],
  ["lookup other ip address", "/back-end#lookups-of-other-ip-addresses"],
  ["visitor country nginx", "/back-end#list-your-proxies"],
  ["load balancer", "/back-end#list-your-proxies"],
  ["x-forwarded-for", "/back-end"],
  ["python", "/back-end"],
  ["go client", "/back-end#install-a-client"],
  ["php laravel", "/back-end"],
  ["npm install server", "/back-end#install-a-client"],
  ["test in CI", "/back-end#test-your-application"],
  ["generate client openapi", "/back-end#generate-a-client"],
  ["react", "/front-end#typescript-bundlers-and-frameworks"],
  ["typescript", "/front-end#typescript-bundlers-and-frameworks"],
  ["csp", "/front-end#content-security-policy"],
  ["integrity hash", "/front-end#versions-and-integrity"],
  ["nonce", "/front-end#content-security-policy"],
  ["GeolookupError", "/front-end#handle-every-outcome"],
  ["retryAfterSeconds", "/front-end#handle-every-outcome"],
  ["ad blocker", "/front-end#handle-every-outcome"],
  ["https mixed content", "/front-end#before-you-go-live"],
  ["playwright", "/front-end#test-your-page"],
  ["vpn wrong city", "/front-end#plan-for-unknown-locations"],
  ["localhost", "/front-end#plan-for-unknown-locations"],
  ["how much quota is left", "/account"],
  ["my usage", "/account"],
  ["gdpr", "/privacy"],
  ["cookie consent", "/privacy"],
  ["is my ip stored", "/privacy"],
  ["attribution", "/data"],
  ["license of the data", "/data"],
  ["how old is the data", "/data"],
  ["ipinfo", "/coming-from#ipinfo"],
  ["migrate from cloudflare", "/coming-from#cloudflare"],
  ["what is new", "/changelog"],
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
    it(`finds ${expected} first for “${query}”`, () => {
      const ids = index.search(query).map(({ id }) => id as string);
      const first = expected.includes("#") ? ids[0] : ids[0]?.replace(/#.*/, "");
      expect(first, ids.slice(0, 8).join(" ")).to.equal(expected);
    });

  it("finds the page of an error with the status, too", () =>
    expect(
      index
        .search("401")
        .slice(0, 3)
        .map(({ id }) => id as string),
    ).to.include("/errors/missing_key"));

  it("shows a text below each result, and no headings of the demo's samples", () => {
    for (const { id, heading, excerpt } of index.search(MiniSearch.wildcard)) {
      expect(excerpt, id as string).to.not.equal("");
      expect(heading, id as string).to.not.include("Sample");
    }
  });

  it("has no page for operators", () => {
    const ids = index.search(MiniSearch.wildcard).map(({ id }) => id as string);
    expect(ids).to.have.length.above(60);
    for (const id of ids) expect(id).to.not.match(/^\/console|country_not_allowed|invalid_edge_token/);
  });
});
