import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { HEADER_OF } from "../../../services/gateway/src/edge/header-presets.ts";
import { startSmallEdge } from "../../../services/gateway/src/edge/testing/small-edge.ts";
import { send } from "../../../test/harness/http.ts";
import { ROOT } from "../files.ts";
import { type Json, ofKind } from "./objects.ts";
import { servicePort } from "./references.ts";
import { render } from "./render.ts";

const NAMES = Object.values(HEADER_OF.geo).map((name) => name.toLowerCase());
const overlay = (name: string) =>
  render(`infra/kubernetes/overlays/${name}`, (path) => readFileSync(join(ROOT, path), "utf8"));
const inLowerCase = (names: readonly string[]) => names.map((name) => name.toLowerCase());
const envoy = overlay("edge-envoy-gateway");
const [extAuth] = ofKind(envoy, "SecurityPolicy").map(({ spec }) => spec.extAuth);
const [early] = ofKind(envoy, "ClientTrafficPolicy").map(({ spec }) => spec.headers.earlyRequestHeaders);
const [deletion, forwardAuth] = ofKind(overlay("edge-traefik"), "Middleware").map(({ spec }) => spec);

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
    const services = overlay("edge");
    const { hostname, port } = new URL(forwardAuth.forwardAuth.address);
    for (const [name, number] of [
      [hostname.split(".")[0] ?? "", Number(port)],
      [extAuth.http.backendRefs[0].name, extAuth.http.backendRefs[0].port],
    ] as const)
      expect(servicePort(services, name, number)).to.include({ targetPort: "edge" });
    expect(extAuth).to.include({ failOpen: true, timeout: "100ms" });
  });
});
