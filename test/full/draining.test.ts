import { connect } from "node:net";
import { expect } from "chai";
import { freshIpv4 } from "../harness/addresses.ts";
import { onBusyCluster } from "../harness/cluster-fault-suite.ts";
import { send } from "../harness/http.ts";
import { keepAliveClient } from "../harness/load-client.ts";
import { waitFor } from "../harness/wait-for.ts";

const DEADLINE_MS = 5_000;

const TITLE = "SIGTERM drains a gateway: it stops being ready, completes its requests, then closes";

onBusyCluster(TITLE, { isShared: true }, (busy) => {
  it("a request on a kept-alive connection gets its 200, with Connection: close", async () => {
    const { cluster, admin } = busy();
    const gateway = cluster.part("gateway-1");
    const setAuth = (action: "pause" | "resume") => {
      for (const auth of cluster.ofKind("auth")) auth[action]();
    };
    const [url = ""] = cluster.gatewayUrls;
    const opsUrl = gateway.opsUrl ?? "";
    const isReady = async () => (await send(opsUrl, { path: "/readyz" })).status === 200;
    const isUnderWay = async () =>
      (await send(opsUrl, { path: "/metrics" })).text.includes("geolookup_requests_in_flight 1\n");
    const [known, unseen] = await admin.issueKeys(2);
    using client = keepAliveClient();

    const get = (key: string | undefined) => client.get(`${url}/v1/geo?key=${key}`, freshIpv4());
    expect(await get(known?.key)).to.include({ status: 200, connection: "keep-alive", isReused: false });

    // Auth delays the request, because the gateway hasn't cached the key.
    setAuth("pause");
    const held = get(unseen?.key);
    try {
      await waitFor("the request to be in flight", isUnderWay, DEADLINE_MS);
      const stopping = gateway.stop();
      await waitFor("new connections to be refused", async () => !(await accepts(gateway.port)), DEADLINE_MS);
      expect(await isReady(), "readiness once connections are refused").to.equal(false);
      setAuth("resume");
      const response = await held;
      expect(response).to.include({ status: 200, connection: "close", isReused: true });
      expect(response).to.have.property("body").that.includes('"city"');
      expect(await stopping).to.include({ how: "gateway-1 ended with status 0" });
    } finally {
      setAuth("resume");
    }
  });
});

/** Whether a port accepts connections. */
function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
