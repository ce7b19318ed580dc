import { expect } from "chai";
import { ADDRESSES } from "../fixtures/places.ts";
import type { Cluster } from "../harness/cluster.ts";
import { consoleBrowser } from "../harness/console/console-suite.ts";
import { expectError, expectRecord } from "../harness/expect-response.ts";
import { keyed } from "../harness/slots.ts";
import { onSharedCluster } from "../harness/suite.ts";
import { waitFor } from "../harness/wait-for.ts";

/** Of the shared cluster. */
const GEO_NODES = 2;

onSharedCluster("contract: an unresponsive service", (shared) => {
  let cluster: Cluster;
  let key: string;
  before(async () => {
    cluster = shared();
    ({ key } = await cluster.issueKey());
  });
  const recordOf = async () => expectRecord(await cluster.send({ ...keyed(key), from: ADDRESSES.rainhaven }));

  it("geo: 200 with nulls and partial, and places again once it is back", async () => {
    expect(await recordOf()).to.include({ city: "Rainhaven" });
    cluster.signal("geo", "SIGSTOP");
    try {
      await waitFor("the gateway's cache to expire", async () => (await recordOf()).city === null, 5_000);
      for (let count = 0; count < 3; count += 1)
        expect(await recordOf()).to.include({ ip: ADDRESSES.rainhaven, country: null, city: null, partial: true });
      expect(expectRecord(await cluster.send())).to.deep.equal({
        country: null,
        countryName: null,
        continent: null,
        partial: true,
      });
    } finally {
      cluster.signal("geo", "SIGCONT");
    }
    await waitFor("the place", async () => (await recordOf()).city === "Rainhaven", 5_000);
  });

  it("auth: 500 internal_error with Retry-After for a key not seen before, keyless unaffected", async () => {
    const unseen = await cluster.issueKey();
    cluster.signal("auth", "SIGSTOP");
    try {
      const response = await cluster.send(keyed(unseen.key));
      expectError(response, "internal_error", cluster);
      expect(Number(response.headers["retry-after"])).to.be.at.least(1);
      expectRecord(await cluster.send());
      expectError(await cluster.send(keyed("nonsense")), "malformed_key", cluster);
    } finally {
      cluster.signal("auth", "SIGCONT");
    }
    await waitFor("the key to be served", async () => (await cluster.send(keyed(unseen.key))).status === 200, 5_000);
  });

  it("geo: the console shows which processes aren't responding", async () => {
    const operator = consoleBrowser(cluster);
    await operator.signIn();
    const warnings = async () => {
      const { status, text } = await operator.get("/console/cluster");
      expect(status).to.equal(200);
      return [text.split("not responding</span>").length - 1, /<p class="summary bad">\d+ warnings?</.test(text)];
    };
    cluster.signal("geo", "SIGSTOP");
    try {
      expect(await warnings()).to.deep.equal([GEO_NODES, true]);
    } finally {
      cluster.signal("geo", "SIGCONT");
    }
    await waitFor("them to respond", async () => (await warnings())[0] === 0, 10_000);
  });

  it("portal: only the docs host fails, the API continues", async () => {
    cluster.signal("portal", "SIGSTOP");
    try {
      expectRecord(await cluster.send());
      const { status, headers, json } = await cluster.send({ path: "/errors/not_found", host: cluster.docsHost });
      expect([status, headers["retry-after"], headers["access-control-allow-origin"]]).to.deep.equal([503, "1", "*"]);
      expect(json.error).to.include({ code: "internal_error", docs: `${cluster.docsUrl}/errors/internal_error` });
    } finally {
      cluster.signal("portal", "SIGCONT");
    }
    const page = () => cluster.send({ path: "/errors/not_found", host: cluster.docsHost });
    await waitFor("the page", async () => (await page()).status === 200, 10_000);
  });
});
