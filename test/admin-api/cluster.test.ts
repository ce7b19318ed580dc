import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { type AdminApi, adminApiAt } from "../harness/admin-api.ts";
import { startOneProcessCluster } from "../harness/cluster.ts";
import type { Deployment } from "../harness/deployment.ts";
import { waitFor } from "../harness/wait-for.ts";

const START_TIMEOUT_MS = 120_000;

describe("the admin API and the customers' page in a cluster", () => {
  const issue = { kind: "secret", plan: "paid", label: "" };
  let cluster: Deployment;
  let api: AdminApi;
  before(async function () {
    this.timeout(START_TIMEOUT_MS);
    cluster = await startOneProcessCluster({ ADMIN_API_ON_DOCS_HOST: "on", SELF_SERVICE: "rotate" });
    api = adminApiAt(`${cluster.portalUrl}/admin/v1`, cluster.adminToken);
    // Auth is ready before it has used the stream of these records for the first time.
    const first = async () => (await api.send("POST", "/keys", issue, { "idempotency-key": "first" })).status === 201;
    await waitFor("the first key", first, START_TIMEOUT_MS / 2);
  });
  after(() => cluster.stop());

  it("makes a change once, however often and however concurrently it is sent", async () => {
    const headers = { "idempotency-key": "order-1" };
    const many = { ...issue, label: "cluster" };
    const responses = await Promise.all(Array.from({ length: 10 }, () => api.send("POST", "/keys", many, headers)));
    const issued = responses.filter(({ status, json }) => status === 201 && json.key !== undefined);
    expect(issued, responses.map(({ status, text }) => `${status} ${text}`).join("\n")).to.have.length(1);
    const again = await api.send("POST", "/keys", many, headers);
    expect([again.json.keyId, again.json.replayed]).to.deep.equal([issued[0]?.json.keyId, true]);
    expect((await cluster.keys("list", "--search", "cluster")).length).to.equal(1);
    const { status } = await api.send("POST", "/keys", { ...issue, label: "other" }, headers);
    expect(status).to.equal(409);
  });

  it("stores no key or token, and logs none", async () => {
    const { key } = (await api.send("POST", "/keys", issue, { "idempotency-key": "secret-1" })).json;
    const { token } = (
      await api.send("POST", "/operators", { name: "bob", role: "viewer" }, { "idempotency-key": "secret-2" })
    ).json;
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const sent = { method: "POST", path: "/account", host: cluster.docsHost, headers: form, body: `key=${key}` };
    const page = await cluster.send(sent);
    expect([page.status, page.text.includes("<td>paid</td>")]).to.deep.equal([200, true]);
    expect((await adminApiAt(api.url, token).send("GET", "/plans")).status).to.equal(200);
    const files = readdirSync(cluster.dataDir, { recursive: true, encoding: "utf8" })
      .map((name) => join(cluster.dataDir, name))
      .filter((path) => statSync(path).isFile());
    expect(files.some((path) => path.includes("IDEMPOTENCY"))).to.equal(true);
    for (const secret of [key, token]) {
      for (const path of files) expect(readFileSync(path).includes(secret), path).to.equal(false);
      expect(cluster.output()).to.not.include(secret);
    }
  });
});
