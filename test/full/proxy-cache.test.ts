import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { ADDRESSES } from "../fixtures/places.ts";
import { send } from "../harness/http.ts";
import { startRecipe } from "../harness/proxy-recipes.ts";
import { startStandalone } from "../harness/standalone.ts";
import { waitFor } from "../harness/wait-for.ts";

const START_TIMEOUT_MS = 120_000;

describe("nginx with the cache of docs/proxies/nginx.md", function () {
  this.timeout(START_TIMEOUT_MS);
  it("serves each visitor's own place for five minutes, also while geolookup is stopped", async () => {
    const edgePort = await freePort();
    await using geolookup = await startStandalone({ EDGE_PORT: String(edgePort), EDGE_CACHE_SECONDS: "300" });
    const app = createServer((req, res) => res.end(JSON.stringify(req.headers))).listen(0, "127.0.0.1");
    await using stack = new AsyncDisposableStack();
    stack.defer(() => {
      app.close();
      app.closeAllConnections();
    });
    await once(app, "listening");
    const { port: appPort } = app.address() as AddressInfo;
    const options = { edgePort, appPort, preset: "geo", token: null, caches: true } as const;
    const { urls } = stack.use(await startRecipe("nginx", "enrich", options));
    const countryOf = async (address: string): Promise<string | undefined> =>
      (await send(urls[0], { headers: { "X-Visitor": address } })).json["x-geo-country"];
    const visitors = [
      [ADDRESSES.rainhaven, "US"],
      [ADDRESSES.beispielstadt, "DE"],
    ] as const;
    for (const [address, country] of visitors)
      await waitFor("a place", async () => (await countryOf(address)) === country, 20_000);

    await geolookup.stop();
    for (const [address, country] of [...visitors, ...visitors]) expect(await countryOf(address)).to.equal(country);
    expect(await countryOf(ADDRESSES.rainhavenIpv6)).to.equal(undefined);
  });
});
