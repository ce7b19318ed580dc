import { expect } from "chai";
import { send } from "../../../../test/harness/http.ts";
import { startSmallEdge } from "./testing/small-edge.ts";

/** Sub-requests in the form that each proxy documents, for proxies that don't run here. */
const REQUESTS = {
  // https://doc.traefik.io/traefik/middlewares/http/forwardauth/
  "Traefik's ForwardAuth": {
    method: "GET",
    path: "/",
    headers: {
      "User-Agent": "curl/8.0",
      "X-Forwarded-Method": "POST",
      "X-Forwarded-Proto": "https",
      "X-Forwarded-Host": "www.example.com",
      "X-Forwarded-Uri": "/cart?item=1",
      "X-Forwarded-For": "44.0.0.1",
      "Accept-Encoding": "gzip",
    },
  },
  // https://www.envoyproxy.io/docs/envoy/latest/configuration/http/http_filters/ext_authz_filter
  "Envoy's ext_authz over HTTP": {
    method: "POST",
    path: "/cart?item=1",
    headers: {
      "Content-Length": "0",
      "X-Envoy-Internal": "true",
      "X-Forwarded-For": "44.0.0.1,127.0.0.1",
      "X-Envoy-Expected-Rq-Timeout-Ms": "100",
    },
  },
};

describe("subrequests of proxies, replayed", () => {
  for (const [proxy, request] of Object.entries(REQUESTS))
    it(`${proxy}: responds with 200, no body and the visitor's location`, async () => {
      await using edge = await startSmallEdge();
      const { status, headers, text } = await send(edge.url, { ...request, host: "www.example.com" });
      expect([status, text]).to.deep.equal([200, ""]);
      expect(headers).to.include({ "x-geo-ip": "44.0.0.1", "x-geo-country": "CH" });
    });
});
