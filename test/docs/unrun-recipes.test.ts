import { expect } from "chai";
import { parse } from "yaml";
import { HEADER_OF } from "../../services/gateway/src/edge/edge-config.ts";
import { type RecipeVariant, readRecipe, readVariant } from "../harness/proxy-recipes.ts";

/** All `X-Geo-…` names, in the order of the record's fields. */
const NAMES = Object.values(HEADER_OF.geo);
const LOWER = NAMES.map((name) => name.toLowerCase());

/** The filters of a recipe for Envoy: its connection manager, and the one that calls geolookup. */
function envoyFilters(variant: RecipeVariant) {
  const { static_resources: resources } = parse(readVariant("envoy", variant));
  const manager = resources.listeners[0].filter_chains[0].filters[0].typed_config;
  return { manager, check: manager.http_filters[0].typed_config };
}

describe("the recipes for Envoy and Traefik, which no test runs", () => {
  for (const [variant, failsOpen, timeout] of [
    ["enrich", true, "0.1s"],
    ["country-rules", false, "1s"],
  ] as const)
    it(`Envoy's (${variant}) deletes and passes on exactly the headers of the preset, and fails ${failsOpen ? "open" : "closed"}`, () => {
      const { manager, check } = envoyFilters(variant);
      const deleted = manager.early_header_mutation_extensions[0].typed_config.mutations;
      expect(deleted).to.deep.equal(LOWER.map((name) => ({ remove: name })));
      expect(manager.common_http_protocol_options.headers_with_underscores_action).to.equal("DROP_HEADER");
      const { allowed_upstream_headers: passedOn } = check.http_service.authorization_response;
      expect(passedOn.patterns).to.deep.equal(LOWER.map((name) => ({ exact: name })));
      expect(check.allowed_headers.patterns).to.deep.equal([{ exact: "x-forwarded-for" }]);
      expect(check.failure_mode_allow).to.equal(failsOpen);
      expect(check.http_service.server_uri.timeout).to.equal(timeout);
    });

  it("Traefik's passes on exactly the headers of the preset, and so deletes the visitor's", () => {
    const { http } = parse(readRecipe("traefik-country-rules.yml"));
    expect(http.routers.app.middlewares).to.deep.equal(["geolookup"]);
    const { forwardAuth } = http.middlewares.geolookup;
    expect(forwardAuth.authResponseHeaders).to.deep.equal(NAMES);
    expect(forwardAuth.authRequestHeaders).to.deep.equal(["User-Agent"]);
  });
});
