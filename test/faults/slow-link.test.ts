import { expect } from "chai";
import { clusterAdmin } from "../harness/cluster-admin.ts";
import { type ClusterParts, prepareCluster } from "../harness/cluster-parts.ts";
import { type ConsoleClient, consoleClient } from "../harness/console/console-client.ts";
import { send } from "../harness/http.ts";
import { runKeys } from "../harness/key-commands.ts";
import { copyOfRing } from "../harness/unrecorded-key.ts";

const START_MS = 120_000;
const STOP_MS = 40_000;
/** A round trip takes twice this. */
const DELAY_MS = 1_000;
const DOCS_HOST = "docs.example.test";

describe("auth whose requests to NATS take 2 s", () => {
  let cluster: ClusterParts;
  let keyIds: string[];
  before(async function () {
    this.timeout(START_MS);
    const settings = { SIGNING_KEYS_FILE: copyOfRing(), DOCS_URL: `http://${DOCS_HOST}` };
    cluster = await prepareCluster(settings, { proxied: true, hasPortal: true, secure: true });
    cluster.part("nats").delay(DELAY_MS, "auth");
    await cluster.startAll();
    const admin = clusterAdmin(cluster);
    const keys = await Promise.all(Array.from({ length: 3 }, () => admin.issueKey()));
    keyIds = keys.map(({ keyId }) => keyId);
  });
  after(async function () {
    this.timeout(STOP_MS);
    await cluster?.stopAll();
  });

  const signIn = async (): Promise<ConsoleClient> => {
    const { adminToken } = cluster;
    const client = consoleClient({
      ...{ origin: `http://${DOCS_HOST}`, adminToken },
      send: (sent) => send(cluster.gatewayUrls[0] ?? "", { host: DOCS_HOST, ...sent }),
    });
    await client.signIn();
    return client;
  };

  it("revokes through the command line", async () => {
    const environment = { AUTH_URL: `127.0.0.1:${cluster.part("auth-1").port}`, ADMIN_TOKEN: cluster.adminToken };
    expect(await runKeys(["revoke", keyIds[0] ?? ""], environment)).to.include({ status: "revoked" });
  });

  it("revokes through the console, whose page of the key works without its history", async () => {
    const [client, keyId] = [await signIn(), keyIds[1]];
    expect((await client.submit(`/console/keys/${keyId}/revoke`, { reason: "slow" })).status).to.equal(303);
    const page = await client.get(`/console/keys/${keyId}?saved=revoked`);
    expect(page.status).to.equal(200);
    expect(page.text).to.include("Key revoked.").and.include("The history isn't available");
  });

  it("revokes selected keys", async () => {
    const client = await signIn();
    const path = "/console/selected-keys/revoke-confirmed";
    const { status, text } = await client.submit(path, { key: `${keyIds[2]}:1`, reason: "slow" });
    expect(status).to.equal(200);
    expect(text).to.include("Revoked 1 key.");
  });
});
