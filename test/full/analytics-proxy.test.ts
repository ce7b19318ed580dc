import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { ADDRESSES } from "../fixtures/places.ts";
import type { Deployment } from "../harness/deployment.ts";
import { send } from "../harness/http.ts";
import { type RecipeServer, startRecipe } from "../harness/proxy-recipes.ts";
import { startStandalone } from "../harness/standalone.ts";
import { waitFor } from "../harness/wait-for.ts";

const START_TIMEOUT_MS = 120_000;
/** Headers that Umami (`src/lib/ip.ts`) and Plausible (`PlausibleWeb.RemoteIP`) take the visitor's address from. */
const ADDRESS_HEADERS = [
  ...["x-forwarded-for", "x-real-ip", "cf-connecting-ip", "x-plausible-ip"],
  ...["b-forwarded-for", "x-client-ip", "forwarded", "true-client-ip"],
  ...["fastly-client-ip", "do-connecting-ip", "x-nf-client-connection-ip"],
];
/** Headers that they take a location from, or facts about the address. */
const LOCATION_HEADERS = [
  ...["cf-ipcountry", "cf-region-code", "cf-ipcity", "cf-iplatitude", "cf-iplongitude"],
  ...["x-vercel-ip-country", "cloudfront-viewer-country", "eo-ipcountry", "x-plausible-ip-type"],
];

/** What Umami stores: `getLocation` in its `src/lib/detect.ts`. */
function umamiLocation(headers: IncomingHttpHeaders) {
  const country = headers["cf-ipcountry"];
  const region = headers["cf-region-code"];
  return country && [country, region && `${country}-${region}`, headers["cf-ipcity"]];
}

describe("nginx with the recipe of docs/proxies/analytics.md", function () {
  this.timeout(START_TIMEOUT_MS);
  let geolookup: Deployment;
  let app: Server;
  let proxy: RecipeServer;
  before(async () => {
    const edgePort = await freePort();
    const EDGE_FIELDS = "country,regionCode,city,latitude,longitude";
    geolookup = await startStandalone({ EDGE_PORT: String(edgePort), EDGE_HEADERS: "cloudflare", EDGE_FIELDS });
    app = createServer((req, res) => res.end(JSON.stringify(req.headers))).listen(0, "127.0.0.1");
    await once(app, "listening");
    const { port: appPort } = app.address() as AddressInfo;
    // The recipe has Cloudflare's names already: it is used as it is.
    proxy = await startRecipe("nginx", "analytics", { edgePort, appPort, preset: "geo", token: null });
  });
  after(async () => {
    await proxy?.[Symbol.asyncDispose]();
    await geolookup?.[Symbol.asyncDispose]();
    app?.close();
    app?.closeAllConnections();
  });

  const spoofed = Object.fromEntries([...ADDRESS_HEADERS, ...LOCATION_HEADERS].map((name) => [name, "192.0.2.1"]));
  /** What the application gets of a visitor who sends all these headers. */
  const headersOf = async (address: string): Promise<IncomingHttpHeaders> =>
    (await send(proxy.urls[0], { path: "/api/send", headers: { ...spoofed, "X-Visitor": address } })).json;

  it("sends the location in the headers that Umami and Matomo read", async () => {
    // On a busy machine, the first subrequests may take more than 100 ms.
    const headers = await waitFor(
      "a place",
      async () => {
        const seen = await headersOf(ADDRESSES.rainhaven);
        return "cf-ipcountry" in seen && seen;
      },
      20_000,
    );
    expect(umamiLocation(headers)).to.deep.equal(["US", "US-WA", "Rainhaven"]);
    expect(headers).to.include({ "cf-iplatitude": "47.2513", "cf-iplongitude": "-122.3149" });
  });

  it("sends nothing in place of an unknown location", async () => {
    expect(umamiLocation(await headersOf(ADDRESSES.unknown))).to.equal(undefined);
  });

  it("lets nobody choose an address or a location, also while geolookup is stopped", async () => {
    const expectNoneSpoofed = async () => {
      const headers = await headersOf(ADDRESSES.rainhaven);
      expect(JSON.stringify(headers)).to.not.include("192.0.2.1");
      expect(ADDRESS_HEADERS.filter((name) => name in headers)).to.have.members(["x-forwarded-for", "x-real-ip"]);
      expect(headers).to.include({ "x-forwarded-for": ADDRESSES.rainhaven, "x-real-ip": ADDRESSES.rainhaven });
    };
    await expectNoneSpoofed();
    await geolookup.stop();
    await expectNoneSpoofed();
    expect(umamiLocation(await headersOf(ADDRESSES.rainhaven))).to.equal(undefined);
  });
});
