import { expect } from "chai";
import { type AdminApi, type ApiResponse, adminApiAt, adminApiOf } from "../harness/admin-api.ts";
import type { Deployment } from "../harness/deployment.ts";
import { startStandalone } from "../harness/standalone.ts";
import { tempFolder } from "../harness/temp-folder.ts";

const FORM = "application/x-www-form-urlencoded";

describe("changes by the admin API", () => {
  const settings = {
    ...{ ADMIN_API_PORT: "0", ADMIN_API_ON_DOCS_HOST: "on" },
    ...{ DATA_DIR: tempFolder(), ADMIN_TOKEN: "a-token-of-some-length" },
  };
  let deployment: Deployment;
  let api: AdminApi;
  before(async () => {
    deployment = await startStandalone(settings);
    api = adminApiOf(deployment);
  });
  after(() => deployment.stop());

  let count = 0;
  const newKey = () => ({ "idempotency-key": `key-${Date.now()}-${count++}` });
  const issue = { kind: "secret", plan: "paid" };
  const labeled = async (label: string) =>
    (await api.send("GET", `/keys?search=${label}`)).json.items.map(({ keyId }: { keyId: string }) => keyId);
  const code = ({ status, json }: ApiResponse) => [status, json.error?.code];

  it("are made once with an Idempotency-Key, and replayed without the key", async () => {
    const [headers, body] = [newKey(), { ...issue, label: "replayed" }];
    const first = await api.send("POST", "/keys", body, headers);
    expect(first.status).to.equal(201);
    const lookup = await fetch(`${deployment.url}/v1/geo`, { headers: { "x-api-key": first.json.key } });
    expect(lookup.status).to.equal(200);
    // The same in another order.
    const { key: _, ...record } = first.json;
    const again = await api.send("POST", "/keys", Object.fromEntries(Object.entries(body).reverse()), headers);
    expect([again.status, again.json]).to.deep.equal([201, { ...record, replayed: true }]);
    expect(await labeled("replayed")).to.deep.equal([record.keyId]);
    const other = await api.send("POST", "/keys", { ...body, label: "other" }, headers);
    expect(code(other)).to.deep.equal([409, "idempotency_key_reused"]);
    expect(code(await api.send("POST", `/keys/${record.keyId}/revoke`, {}, headers))).to.deep.equal([
      ...[409, "idempotency_key_reused"],
    ]);
  });

  it("are made once if they are sent many times at once", async () => {
    const [headers, body] = [newKey(), { ...issue, label: "raced" }];
    const responses = await Promise.all(Array.from({ length: 15 }, () => api.send("POST", "/keys", body, headers)));
    for (const response of responses)
      if (response.status !== 201) {
        expect(code(response)).to.deep.equal([409, "request_in_progress"]);
        expect(response.headers.get("retry-after")).to.equal("1");
      }
    expect(responses.filter(({ json }) => json.key !== undefined)).to.have.length(1);
    expect(await labeled("raced")).to.have.length(1);
  });

  it("can be sent again after a refusal, and refuse an invalid Idempotency-Key", async () => {
    const headers = newKey();
    expect(code(await api.send("POST", "/keys", { ...issue, plan: "none" }, headers))[0]).to.equal(400);
    expect((await api.send("POST", "/keys", issue, headers)).status).to.equal(201);
    for (const bad of ["a b", "x".repeat(256), ""])
      expect(code(await api.send("POST", "/keys", issue, { "idempotency-key": bad }))[0]).to.equal(400);
  });

  it("are replayed after a crash", async () => {
    const headers = newKey();
    const first = await api.send("POST", "/keys", { ...issue, label: "crash" }, headers);
    await deployment.kill?.();
    deployment = await startStandalone(settings);
    api = adminApiOf(deployment);
    const again = await api.send("POST", "/keys", { ...issue, label: "crash" }, headers);
    expect([again.status, again.json.keyId, again.json.replayed]).to.deep.equal([201, first.json.keyId, true]);
    expect(await labeled("crash")).to.have.length(1);
  });

  it("rotate a key once, and let both work until the overlap ends", async () => {
    const { keyId, key } = (await api.send("POST", "/keys", { ...issue, label: "rotated" })).json;
    const headers = newKey();
    const rotated = await api.send("POST", `/keys/${keyId}/rotate`, { overlap: "1h" }, headers);
    expect([rotated.status, rotated.json.rotatedFrom, rotated.json.label]).to.deep.equal([201, keyId, "rotated"]);
    for (const each of [key, rotated.json.key]) {
      const lookup = await fetch(`${deployment.url}/v1/geo`, { headers: { "x-api-key": each } });
      expect(lookup.status).to.equal(200);
    }
    const again = await api.send("POST", `/keys/${keyId}/rotate`, { overlap: "1h" }, headers);
    expect([again.json.keyId, again.json.key, again.json.replayed]).to.deep.equal([
      ...[rotated.json.keyId, undefined, true],
    ]);
    const old = (await api.send("GET", `/keys/${keyId}`)).json;
    expect(old.rotatedTo).to.equal(rotated.json.keyId);
    expect(Date.parse(old.endsAt) - Date.now()).to.be.within(3_500_000, 3_600_000);
    expect(code(await api.send("POST", `/keys/${keyId}/rotate`, {}, newKey()))).to.deep.equal([409, "not_possible"]);
  });

  it("expire, disable and enable a key, and keep metadata", async () => {
    const body = { ...issue, expiresAt: "2099-01-01", metadata: { order: "17" } };
    const { keyId, key, expiresAt, metadata } = (await api.send("POST", "/keys", body, newKey())).json;
    expect([expiresAt.slice(0, 10), metadata]).to.deep.equal(["2099-01-01", { order: "17" }]);
    const status = async () => (await fetch(`${deployment.url}/v1/geo`, { headers: { "x-api-key": key } })).status;
    expect((await api.send("POST", `/keys/${keyId}/disable`, { reason: "unpaid" })).json).to.deep.include({
      ...{ status: "disabled", disabledReason: "unpaid" },
    });
    expect(await status()).to.equal(401);
    expect((await api.send("POST", `/keys/${keyId}/enable`)).json.status).to.equal("active");
    expect(await status()).to.equal(200);
    const changes = { expiresAt: null, metadata: { order: "18" } };
    const changed = (await api.send("PATCH", `/keys/${keyId}`, changes)).json;
    expect([changed.expiresAt, changed.metadata]).to.deep.equal([undefined, { order: "18" }]);
    const found = await api.send("GET", "/keys?search=order%3D18");
    expect(found.json.items.map((each: { keyId: string }) => each.keyId)).to.deep.equal([keyId]);
  });

  it("find keys by their text", async () => {
    const { keyId, key } = (await api.send("POST", "/keys", issue)).json;
    const { json, text } = await api.send("POST", "/keys/find", { texts: ["nothing", key, `${key}x`] });
    expect(json.items.map((each: { keyId: string; index: number }) => [each.keyId, each.index])).to.deep.equal([
      [keyId, 1],
    ]);
    expect(text).to.not.include(key);
    expect(deployment.output()).to.not.include(key);
  });

  it("add, change and disable a customer, whose keys share a quota", async () => {
    const headers = newKey();
    const acme = { id: "acme", name: "Acme", plan: "paid", monthlyRequests: 1_000 };
    const added = await api.send("POST", "/customers", acme, headers);
    expect([added.status, added.json.quota]).to.deep.equal([201, { id: "customer_acme", monthlyRequests: 1_000 }]);
    expect((await api.send("POST", "/customers", acme, headers)).json.replayed).to.equal(true);
    expect((await api.send("POST", "/customers", acme, newKey())).status).to.equal(409);
    const { key, keyId, customer } = (await api.send("POST", "/keys", { kind: "secret", customer: "acme" })).json;
    expect(customer).to.equal("acme");
    await fetch(`${deployment.url}/v1/geo`, { headers: { "x-api-key": key } });
    const renamed = await api.send("PATCH", "/customers/acme", { name: "Acme Ltd", monthlyRequests: null });
    expect([renamed.json.name, renamed.json.monthlyRequests, renamed.json.keys]).to.deep.equal([
      "Acme Ltd",
      undefined,
      1,
    ]);
    expect((await api.send("GET", "/customers?search=acme")).json.items).to.have.length(1);
    expect((await api.send("GET", "/keys?customer=acme")).json.items[0].keyId).to.equal(keyId);
    expect((await api.send("POST", "/customers/acme/disable", {})).json.status).to.equal("disabled");
    const refused = await fetch(`${deployment.url}/v1/geo`, { headers: { "x-api-key": key } });
    expect(refused.status).to.equal(401);
    expect((await api.send("POST", "/customers/acme/enable")).json.status).to.equal("active");
    const usage = await api.send("GET", "/customers/acme/usage");
    expect(usage.json).to.include({ customer: "acme", month: new Date().toISOString().slice(0, 7) });
  });

  it("add operators, whose tokens are shown once and end when they are replaced or removed", async () => {
    const headers = newKey();
    const added = await api.send("POST", "/operators", { name: "alice", role: "viewer" }, headers);
    expect([added.status, added.json.name, added.json.role]).to.deep.equal([201, "alice", "viewer"]);
    const { token } = added.json;
    const again = await api.send("POST", "/operators", { name: "alice", role: "viewer" }, headers);
    expect([again.json.token, again.json.replayed]).to.deep.equal([undefined, true]);
    const alice = (given: string) => adminApiAt(api.url, given);
    expect((await alice(token).send("GET", "/keys")).status).to.equal(200);
    const replaced = (await api.send("POST", "/operators/alice/token", {})).json.token;
    expect((await alice(token).send("GET", "/keys")).status).to.equal(401);
    expect((await alice(replaced).send("GET", "/keys")).status).to.equal(200);
    expect(code(await alice(replaced).send("POST", "/keys", issue))).to.deep.equal([403, "forbidden"]);
    expect((await api.send("PATCH", "/operators/alice", { role: "operator" })).json.role).to.equal("operator");
    const issued = await alice(replaced).send("POST", "/keys", issue);
    const asAdmin = await api.send("POST", "/keys", { ...issue, label: "shared" }, headers);
    const asAlice = await alice(replaced).send("POST", "/keys", { ...issue, label: "shared" }, headers);
    expect([code(asAdmin), asAlice.status], "the other's Idempotency-Key").to.deep.equal([
      [409, "idempotency_key_reused"],
      201,
    ]);
    const history = await api.send("GET", `/keys/${issued.json.keyId}/history`);
    expect(history.json.items[0].by).to.equal("alice");
    expect((await api.send("DELETE", "/operators/alice")).status).to.equal(200);
    expect((await alice(replaced).send("GET", "/keys")).status).to.equal(401);
    for (const secret of [token, replaced]) expect(deployment.output()).to.not.include(secret);
  });

  it("are made on the docs host with ADMIN_API_ON_DOCS_HOST=on; customers rotate nothing by default", async () => {
    const send = (sent: object) => deployment.send({ host: deployment.docsHost, path: "/account", ...sent });
    const { key, keyId } = await deployment.issueKey();
    const form = { method: "POST", headers: { "content-type": FORM } };
    const page = await send({ ...form, body: `key=${key}` });
    expect(page.status).to.equal(200);
    expect(page.text).to.not.include("/account/rotate");
    expect((await send({ ...form, path: "/account/rotate", body: `key=${key}&overlap=0` })).status).to.equal(403);
    const headers = { authorization: `Bearer ${deployment.adminToken}` };
    const shown = await send({ path: `/admin/v1/keys/${keyId}`, headers });
    expect([shown.status, JSON.parse(shown.text).keyId], "the admin API on the docs host").to.deep.equal([200, keyId]);
    const revoke = { method: "POST", path: `/admin/v1/keys/${keyId}/revoke`, body: '{"reason":"x"}' };
    const headersOfChange = { ...headers, "content-type": "application/json", "idempotency-key": "one" };
    expect((await send({ ...revoke, headers: headersOfChange })).status).to.equal(200);
    expect((await send({ ...revoke, headers: headersOfChange })).text).to.include('"replayed":true');
    expect((await deployment.send({ path: "/admin/v1/keys", headers })).status, "on the API's host").to.equal(404);
  });
});
