import { expect } from "chai";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { ADDRESSES } from "../fixtures/places.ts";
import { clusterAdmin } from "../harness/cluster-admin.ts";
import { type ClusterParts, prepareCluster } from "../harness/cluster-parts.ts";
import { send } from "../harness/http.ts";
import { waitFor } from "../harness/wait-for.ts";

const START_TIMEOUT_MS = 120_000;
const LOOKUP_TIMEOUT_MS = 5_000;

describe("the edge port of a cluster", () => {
  let cluster: ClusterParts;
  after(async function () {
    this.timeout(START_TIMEOUT_MS);
    await cluster?.stopAll();
  });

  it("locates visitors over gRPC; without geo, responds with an unknown place; and logs no address", async function () {
    this.timeout(START_TIMEOUT_MS);
    const port = await freePort();
    cluster = await prepareCluster({ EDGE_PORT: String(port), EDGE_HEADERS: "cloudflare", LOG_LEVEL: "debug" });
    await cluster.startAll();
    const ask = () => send(`http://127.0.0.1:${port}`, { headers: { "X-Forwarded-For": ADDRESSES.rainhavenIpv6 } });
    // On a slow machine, a cluster's first lookup takes longer than a proxy is made to wait for one.
    const isLocated = async () => {
      const { status, headers } = await ask();
      expect(status).to.equal(200);
      return headers["cf-ipcountry"] !== "XX" && headers;
    };
    const located = await waitFor("a location", isLocated, LOOKUP_TIMEOUT_MS);
    expect(located).to.include({ "cf-ipcountry": "US", "cf-ipcity": "Rainhaven" });

    // The edge port counts neither against keys nor against the hourly limit: the next request to the API is the first.
    const { key } = await clusterAdmin(cluster).issueKey();
    const keyed = { "X-Forwarded-For": ADDRESSES.rainhavenIpv6, "X-API-Key": key };
    for (let count = 0; count < 3; count += 1)
      expect((await send(`http://127.0.0.1:${port}/v1/geo`, { headers: keyed })).status).to.equal(200);
    for (const headers of [keyed, { "X-Forwarded-For": ADDRESSES.rainhavenIpv6 }]) {
      const response = await send(`${cluster.gatewayUrls[0]}/v1/geo`, { headers });
      const { "x-ratelimit-limit": limit, "x-ratelimit-remaining": remaining } = response.headers;
      expect(Number(limit) - Number(remaining)).to.equal(1);
    }

    await cluster.part("geo-1").stop();
    const unknown = await ask();
    expect(unknown.status).to.equal(200);
    expect(unknown.headers).to.include({ "cf-ipcountry": "XX", "cf-ipcity": "-" });
    expect(cluster.output()).to.not.include(ADDRESSES.rainhavenIpv6);
  });
});
