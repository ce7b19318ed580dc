import { expect } from "chai";
import { HEADER_OF } from "../../services/gateway/src/edge/edge-config.ts";
import { startSmallEdge } from "../../services/gateway/src/edge/testing/small-edge.ts";
import { send } from "../harness/http.ts";
import { type Json, ofKind } from "./objects.ts";
import { render } from "./render.ts";

const NAMES = Object.values(HEADER_OF.geo).map((name) => name.toLowerCase());
const inLowerCase = (names: readonly string[]) => names.map((name) => name.toLowerCase());
const envoy = render("edge-envoy-gateway");
const [extAuth] = ofKind(envoy, "SecurityPolicy").map(({ spec }) => spec.extAuth);
const [early] = ofKind(envoy, "ClientTrafficPolicy").map(({ spec }) => spec.headers.earlyRequestHeaders);
const [deletion, forwardAuth] = ofKind(render("edge-traefik"), "Middleware").map(({ spec }) => spec);

/** How each proxy of the overlays documents its subrequest, deletes headers, and which it copies. */
const PROXIES = {
  // https://gateway.envoyproxy.io/docs/api/extension_types/#extauth
  "Envoy Gateway": {
    sent: { "content-length": "0", "x-forwarded-for": "44.0.0.1" },
    takes: extAuth.headersToExtAuth,
    deletes: [...early.remove, ...early.set.map(({ name }: Json) => name)],
    copies: extAuth.http.headersToBackend,
  },
  // https://doc.traefik.io/traefik/reference/routing-configuration/http/middlewares/forwardauth/
  Traefik: {
    sent: { "user-agent": "curl/8.0", "x-forwarded-for": "44.0.0.1", "x-forwarded-method": "POST" },
    takes: ["x-forwarded-for", ...forwardAuth.forwardAuth.authRequestHeaders],
    deletes: Object.keys(deletion.headers.customRequestHeaders),
    copies: forwardAuth.forwardAuth.authResponseHeaders,
  },
};

describe("the Kubernetes overlays for the edge port, replayed", () => {
  for (const [proxy, { sent, takes, deletes, copies }] of Object.entries(PROXIES))
    it(`${proxy}: every header of the preset is deleted, and copied from the response`, async () => {
      await using edge = await startSmallEdge();
      expect(inLowerCase(takes)).to.include("x-forwarded-for");
      const response = await send(edge.url, { method: "POST", path: "/cart?item=1", headers: sent });
      const copied = inLowerCase(copies).map((name) => [name, response.headers[name]]);
      expect(Object.fromEntries(copied)).to.include({ "x-geo-country": "CH", "x-geo-city": "Z%C3%BCrich" });
      expect(inLowerCase(copies).sort()).to.deep.equal([...NAMES].sort());
      expect(inLowerCase(deletes).sort()).to.deep.equal([...NAMES].sort());
    });

  it("both call the Service of the overlay edge, and only Traefik can't fail open", () => {
    const [service] = ofKind(render("edge"), "Service");
    const { hostname, port } = new URL(forwardAuth.forwardAuth.address);
    const called = [
      { name: hostname.split(".")[0], port: Number(port) },
      { name: extAuth.http.backendRefs[0].name, port: extAuth.http.backendRefs[0].port },
    ];
    expect(service?.spec.ports[0].targetPort).to.equal("edge");
    for (const each of called)
      expect(each).to.deep.equal({ name: service?.metadata.name, port: service?.spec.ports[0].port });
    expect(extAuth).to.include({ failOpen: true, timeout: "100ms" });
  });

  // https://gateway-api.sigs.k8s.io/reference/spec/#httpheaderfilter
  it("Envoy Gateway deletes and sets at most 16 headers each", () => {
    expect(early.remove).to.have.lengthOf.at.most(16);
    expect(early.set).to.have.lengthOf.at.most(16);
  });
});
