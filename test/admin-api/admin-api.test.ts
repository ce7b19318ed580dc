import { expect } from "chai";
import { type AdminApi, type ApiResponse, adminApiAt, adminApiOf } from "../harness/admin-api.ts";
import type { Deployment } from "../harness/deployment.ts";
import { onOperatedDeployment } from "../harness/suite.ts";
import { waitFor } from "../harness/wait-for.ts";

onOperatedDeployment("the admin API", (operated) => {
  let deployment: Deployment;
  let api: AdminApi;
  before(() => {
    deployment = operated();
    api = adminApiOf(deployment);
  });

  const issue = async (body: object = {}) => {
    const { status, json } = await api.send("POST", "/keys", { kind: "secret", plan: "paid", ...body });
    expect(status).to.equal(201);
    return json as { keyId: string; key: string; version: number };
  };
  const expectError = (response: ApiResponse, status: number, code: string) => {
    expect(response.status, response.text).to.equal(status);
    expect(response.json.error.code).to.equal(code);
    expect(response.json.error.message).to.be.a("string").with.length.above(10);
    expect(response.json.error.docs).to.equal(`${deployment.docsUrl}/console/guides/admin-api#${code}`);
    expect(response.headers.get("cache-control")).to.equal("no-store");
  };

  it("issues a key that works, and shows it as the program does", async () => {
    const issued = await issue({ label: "Shop", origins: ["https://shop.example.com"] });
    expect(issued.key).to.match(/^geo_sk_/);
    const lookup = await fetch(`${deployment.url}/v1/geo`, { headers: { "x-api-key": issued.key } });
    expect(lookup.status).to.equal(200);
    const show = () => api.send("GET", `/keys/${issued.keyId}`);
    await waitFor("its last use", async () => (await show()).json.lastUsed !== null, 5_000);
    const { json, text } = await show();
    expect(json).to.deep.equal(await deployment.keys("show", issued.keyId));
    expect(text).to.not.include(issued.key);
  });

  it("changes the given properties, and refuses a change of another version", async () => {
    const { keyId, version } = await issue({ label: "before" });
    const changed = await api.send("PATCH", `/keys/${keyId}`, { label: "after", plan: "free", version });
    expect([changed.status, changed.json.label, changed.json.plan, changed.json.version]).to.deep.equal([
      ...[200, "after", "free", version + 2],
    ]);
    expectError(await api.send("PATCH", `/keys/${keyId}`, { label: "late", version }), 409, "conflict");
    expect((await api.send("PATCH", `/keys/${keyId}`, {})).json.label).to.equal("after");
    const refused = await api.send("PATCH", `/keys/${keyId}`, { metadata: { team: "a" }, plan: "nothing" });
    expectError(refused, 400, "invalid_request");
    expect(refused.json.error.message).to.match(/^Metadata saved, but not plan: /);
  });

  it("revokes a key for good", async () => {
    const { keyId, key } = await issue();
    const { json } = await api.send("POST", `/keys/${keyId}/revoke`, { reason: "leaked" });
    expect([json.status, json.revokedReason]).to.deep.equal(["revoked", "leaked"]);
    const lookup = await fetch(`${deployment.url}/v1/geo`, { headers: { "x-api-key": key } });
    expect(await lookup.text()).to.include('"revoked_key"');
    expectError(await api.send("PATCH", `/keys/${keyId}`, { label: "x" }), 409, "not_possible");
    const { items } = (await api.send("GET", `/keys/${keyId}/history`)).json;
    expect(items.map(({ type }: { type: string }) => type)).to.deep.equal(["KeyIssued", "KeyRevoked"]);
  });

  it("lists keys page by page, and finds them", async () => {
    const label = "page by page";
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) ids.push((await issue({ label })).keyId);
    const found: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const query: string = new URLSearchParams({ search: label, limit: "2", ...(cursor && { cursor }) }).toString();
      const { status, json } = await api.send("GET", `/keys?${query}`);
      expect(status).to.equal(200);
      found.push(...json.items.map(({ keyId }: { keyId: string }) => keyId));
      cursor = json.next;
    }
    expect(found).to.deep.equal(ids);
  });

  it("shows a key's requests, the plans and the geo data", async () => {
    const { keyId, key } = await issue({ origins: ["https://shop.example.com"] });
    const lookUp = (headers: object = {}) =>
      fetch(`${deployment.url}/v1/geo`, { headers: { "x-api-key": key, ...headers } });
    for (let count = 0; count < 3; count++) await lookUp();
    for (let count = 0; count < 2; count++)
      expect((await lookUp({ origin: "https://evil.example.com" })).status).to.equal(403);
    const month = new Date().toISOString().slice(0, 7);
    const isCounted = async () => {
      const { json } = await api.send("GET", `/keys/${keyId}/usage?month=${month}`);
      return json.total === 3 && json.refusals[0]?.total === 2;
    };
    await waitFor("the usage", isCounted, 5_000);
    const { json: usage } = await api.send("GET", `/keys/${keyId}/usage`);
    expect(usage).to.deep.equal({
      keyId,
      month,
      total: 3,
      days: [{ day: new Date().toISOString().slice(0, 10), requests: 3 }],
      refusals: [
        {
          ...{ code: "origin_not_allowed", total: 2 },
          days: [{ day: new Date().toISOString().slice(0, 10), requests: 2 }],
        },
      ],
    });
    const plans = await api.send("GET", "/plans");
    expect(plans.json).to.deep.equal(await deployment.keys("plans"));
    const check = await api.send("POST", "/plans/check", { plans: plans.json.plans });
    expect(check.json).to.deep.equal({ hash: plans.json.hash, differences: [], holds: [] });
    const data = await api.send("GET", "/data");
    expect(data.json.databases).to.have.length.above(0);
    expect(data.json.isRefreshed).to.equal(false);
  });

  it("describes itself", async () => {
    const { status, json } = await api.send("GET", "/openapi.json", undefined, { authorization: "" });
    expect(status).to.equal(200);
    expect(json.openapi).to.equal("3.1.0");
    expect(Object.keys(json.paths)).to.include("/admin/v1/keys/{keyId}/rotate");
  });

  for (const [what, headers] of [
    ["no token", { authorization: "" }],
    ["a wrong token", { authorization: "Bearer wrong-token-of-some-length" }],
    ["a token of an operator that doesn't exist", { authorization: `Bearer geo_op_${"a".repeat(40)}` }],
    ["another scheme", { authorization: `Basic ${btoa("admin:admin")}` }],
  ] as const)
    it(`refuses ${what}`, async () => {
      const response = await api.send("POST", "/keys", { kind: "secret", plan: "paid" }, headers);
      expectError(response, 401, "invalid_token");
      expect(response.headers.get("www-authenticate")).to.equal("Bearer");
    });

  it("takes no token from the URL or a cookie", async () => {
    const { adminToken } = deployment;
    const query = await api.send("GET", `/keys?access_token=${adminToken}`, undefined, { authorization: "" });
    expectError(query, 401, "invalid_token");
    const cookie = { authorization: "", cookie: `geolookup-session=${adminToken}` };
    expectError(await api.send("GET", "/keys", undefined, cookie), 401, "invalid_token");
  });

  for (const [what, method, path, body, status, code] of [
    ["an unknown path", "GET", "/nothing", undefined, 404, "not_found"],
    ["a path in other letters", "GET", "/Keys", undefined, 404, "not_found"],
    ["another method", "DELETE", "/keys", undefined, 405, "method_not_allowed"],
    ["a key that doesn't exist", "GET", "/keys/key_000000000000", undefined, 404, "not_found"],
    ["a malformed path", "GET", "/keys/%", undefined, 400, "invalid_request"],
    ["an unknown parameter", "GET", "/keys?sort=x", undefined, 400, "invalid_request"],
    ["a parameter that is given twice", "GET", "/keys?kind=secret&kind=secret", undefined, 400, "invalid_request"],
    ["a page that is too long", "GET", "/keys?limit=1001", undefined, 400, "invalid_request"],
    ["a month that isn't one", "GET", "/keys/key_000000000000/usage?month=2026-13", undefined, 400, "invalid_request"],
    ["a body that isn't JSON", "POST", "/keys", "{kind:", 400, "invalid_request"],
    ["a body that isn't an object", "POST", "/keys", "[]", 400, "invalid_request"],
    ["deep nesting", "POST", "/keys", "[".repeat(30_000), 400, "invalid_request"],
    ["an unknown property", "POST", "/keys", { kind: "secret", plan: "paid", admin: true }, 400, "invalid_request"],
    ["a prototype", "POST", "/keys", '{"__proto__":{"kind":"secret"},"plan":"paid"}', 400, "invalid_request"],
    ["another type", "POST", "/keys", { kind: "secret", plan: 1 }, 400, "invalid_request"],
    ["an unknown plan", "POST", "/keys", { kind: "secret", plan: "none" }, 400, "invalid_request"],
    ["a line break", "POST", "/keys", { kind: "secret", plan: "paid", label: "a\nb" }, 400, "invalid_request"],
    [
      "101 origins",
      "POST",
      "/keys",
      { kind: "secret", plan: "paid", origins: Array(101).fill("") },
      400,
      "invalid_request",
    ],
    ["a body that is too large", "POST", "/keys", JSON.stringify({ label: "x".repeat(70_000) }), 413, "too_large"],
  ] as const)
    it(`refuses ${what}`, async () => {
      expectError(await api.send(method, path, body), status, code);
    });

  it("refuses a compressed body", async () => {
    const response = await api.send("POST", "/keys", "{}", { "content-encoding": "gzip" });
    expectError(response, 415, "unsupported_media_type");
  });

  it("keeps keys out of URLs, logs and messages", async () => {
    const { key } = await issue();
    for (const path of [`/keys?search=${key}`, `/keys/${key}`, `/keys/${key}/usage`, `/keys/${key}x`]) {
      const inUrl = await api.send("GET", path);
      expectError(inUrl, 400, "invalid_request");
      expect(inUrl.json.error.message).to.include("POST /admin/v1/keys/find");
      expect(inUrl.text).to.not.include(key);
    }
    expect((await api.send("GET", `/keys?search=${encodeURIComponent(`geo_sk_…${key.slice(-4)}`)}`)).status).to.equal(
      200,
    );
    const unknown = await api.send("GET", `/keys/${key}/nothing`);
    expectError(unknown, 404, "not_found");
    expect(unknown.text).to.not.include(key);
    expect(deployment.output()).to.not.include(key).and.not.include(deployment.adminToken);
  });

  it("isn't on the docs host or the API's host unless it is switched on", async () => {
    const { adminToken } = deployment;
    const headers = { authorization: `Bearer ${adminToken}` };
    const path = "/admin/v1/keys";
    const onDocs = await deployment.send({ path, headers, host: deployment.docsHost });
    expect(onDocs.status).to.equal(404);
    expect((await deployment.send({ path, headers })).status).to.equal(404);
  });

  it("responds briefly to many wrong tokens, and still accepts a right one", async () => {
    let refused: ApiResponse | undefined;
    while (!refused) {
      const wrong = { authorization: "Bearer wrong-token-of-some-length" };
      const responses = await Promise.all(
        Array.from({ length: 30 }, () => api.send("GET", "/plans", undefined, wrong)),
      );
      refused = responses.find(({ status }) => status === 429);
    }
    expectError(refused, 429, "rate_limited");
    expect(refused.headers.get("retry-after")).to.equal("1");
    expect((await api.send("GET", "/plans")).status).to.equal(200);
  });

  it("limits each operator", async () => {
    const { token } = (await api.send("POST", "/operators", { name: "busy", role: "viewer" })).json;
    const busy = adminApiAt(api.url, token);
    let one: ApiResponse | undefined;
    // Faster than 20 a second, however slow this machine is.
    while (!one) {
      const responses = await Promise.all(Array.from({ length: 100 }, () => busy.send("GET", "/plans")));
      one = responses.find(({ status }) => status === 429);
    }
    expectError(one, 429, "rate_limited");
    expect(one.headers.get("retry-after")).to.equal("1");
    expect((await api.send("GET", "/plans")).status).to.equal(200);
  });
});
