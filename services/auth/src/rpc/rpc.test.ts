import { MAX_BATCH } from "@geolookup/shared/runtime/grpc/limits.ts";
import { KEY_ADMIN } from "@geolookup/shared/runtime/grpc/services.ts";
import { expect } from "chai";
import { tempFolder } from "../../../../test/harness/temp-folder.ts";
import { type AuthApi, type AuthProcess, startAuth, TOKEN } from "../testing/auth-process.ts";

describe("auth over gRPC", () => {
  let running: AuthProcess;
  let api: AuthApi;
  before(async () => {
    running = startAuth({ STORES: "embedded", DATA_DIR: tempFolder(), ADMIN_TOKEN: TOKEN });
    api = await running.ready();
  });
  after(() => running.stop());

  const origins = ["https://example.com"];
  const issue = () => api.issue({ kind: "PUBLISHABLE", plan: "paid", label: "Shop", origins });
  /** The issued key, as every response shows it. */
  const shown = ({ secret, key: { keyId, createdAt } }: Awaited<ReturnType<typeof issue>>) => ({
    keyId,
    kind: "PUBLISHABLE",
    plan: "paid",
    label: "Shop",
    origins,
    display: `geo_pk_…${secret.slice(-4)}`,
    status: "active",
    createdAt,
    version: 1,
    quota: { id: keyId, monthlyRequests: 1_000_000 },
  });

  it("administers keys, and shows a secret only in the response to IssueKey", async () => {
    const issued = await issue();
    const { keyId } = issued;
    const key = shown(issued);
    expect(issued.key).to.deep.equal(key);
    expect(await api.admin(KEY_ADMIN.SetPlan, { keyId, plan: "free" })).to.deep.equal({
      ...key,
      plan: "free",
      version: 2,
      quota: { id: keyId, monthlyRequests: 10_000 },
    });
    expect(await api.admin(KEY_ADMIN.SetLabel, { keyId, label: "" })).to.include({ version: 3 });
    expect(await api.admin(KEY_ADMIN.SetOrigins, { keyId, origins: [] })).to.deep.include({ origins: [], version: 4 });
    expect(await api.admin(KEY_ADMIN.GetKey, { keyId })).to.include({ version: 4, status: "active" });
    const revoked = await api.admin(KEY_ADMIN.RevokeKey, { keyId, reason: "test" });
    expect(revoked).to.include({ status: "revoked", revokedReason: "test", version: 5 });
    expect((await api.authorize({ key: issued.secret })).authorizations).to.deep.equal([
      { outcome: "REVOKED_KEY", revokedKeyId: keyId },
    ]);
    const listed = { keys: [revoked], nextPageToken: "", total: 1 };
    expect(await api.admin(KEY_ADMIN.ListKeys, { search: keyId })).to.deep.equal(listed);
    expect((await api.admin(KEY_ADMIN.ListKeys, {})).keys).to.deep.include(revoked);

    const { events } = await api.admin(KEY_ADMIN.GetHistory, { keyId });
    expect(events.map(({ type }) => type)).to.deep.equal([
      "KeyIssued",
      "KeyPlanChanged",
      "KeyLabelChanged",
      "KeyOriginsChanged",
      "KeyRevoked",
    ]);
    expect(events[1]).to.include({ keyId, version: 2, by: "admin", dataJson: '{"plan":"free"}' });
    const error = await api.admin(KEY_ADMIN.SetPlan, { keyId, plan: "paid" }).catch((reason: unknown) => reason);
    expect(error, "a revoked key's plan").to.include({ code: "precondition" });
    expect(running.stderr()).not.to.include(issued.secret);
  });

  it("lists keys in the order of issue or another one, in both directions, or only those that are named", async () => {
    const ids: string[] = [];
    for (const label of ["order b", "order a", "order c"])
      ids.push((await api.issue({ kind: "SECRET", plan: "free", label })).key?.keyId ?? "");
    const list = async (request: { sort?: string; isDescending?: boolean; keyIds?: string[]; pageSize?: number }) => {
      const listed: number[] = [];
      let pageToken = "";
      do {
        const page = await api.admin(KEY_ADMIN.ListKeys, { search: "order", pageSize: 2, pageToken, ...request });
        listed.push(...page.keys.map(({ keyId = "" }) => ids.indexOf(keyId)));
        pageToken = page.nextPageToken ?? "";
      } while (pageToken !== "");
      return listed;
    };
    expect(await list({})).to.deep.equal([0, 1, 2]);
    expect(await list({ isDescending: true })).to.deep.equal([2, 1, 0]);
    expect(await list({ sort: "label" })).to.deep.equal([1, 0, 2]);
    expect(await list({ sort: "label", isDescending: true })).to.deep.equal([2, 0, 1]);
    const [first = "", , last = ""] = ids;
    for (const pageSize of [1, 2])
      expect(await list({ keyIds: [last, "key_nobody", first], pageSize })).to.deep.equal([2, 0]);
  });

  it("refuses changes that expect another version of the key", async () => {
    const { keyId } = await issue();
    await api.admin(KEY_ADMIN.SetLabel, { keyId, label: "b", expectedVersion: 1 });
    const late = { keyId, expectedVersion: 1 };
    for (const change of [
      api.admin(KEY_ADMIN.SetLabel, { ...late, label: "c" }),
      api.admin(KEY_ADMIN.SetPlan, { ...late, plan: "free" }),
      api.admin(KEY_ADMIN.SetOrigins, { ...late, origins: [] }),
    ])
      expect(await change.catch((error: unknown) => error)).to.include({ code: "conflict" });
    expect(await api.admin(KEY_ADMIN.GetKey, { keyId })).to.include({ label: "b", plan: "paid", version: 2 });
  });

  it("authorizes each key of a batch by itself", async () => {
    const issued = await issue();
    const { secret: key } = issued;
    const { keyId, kind, plan, display } = shown(issued);
    const grant = { keyId, kind, plan, fields: "PAID", monthlyRequests: 1_000_000, origins, display, fieldNames: [] };
    const { authorizations } = await api.authorize(
      { key, origin: "https://example.com" },
      { key: "nonsense" },
      { key, origin: "https://evil.example" },
      { key },
      { key, referer: "https://example.com/page" },
      { key: `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}` },
      {},
    );
    expect(authorizations).to.deep.equal([
      { outcome: "GRANTED", grant },
      { outcome: "MALFORMED_KEY" },
      { outcome: "ORIGIN_NOT_ALLOWED", grant, refusedOrigin: "https://evil.example" },
      { outcome: "ORIGIN_NOT_ALLOWED", grant },
      { outcome: "GRANTED", grant },
      { outcome: "BAD_SIGNATURE" },
      { outcome: "MALFORMED_KEY" },
    ]);
    expect(running.stderr()).not.to.include(key);
  });

  it("accepts the longest batches that gateways send, and refuses batches of more than 1,024", async () => {
    const keyOf = (length: number) => `geo_pk_${"a".repeat(length - 30)}_${"b".repeat(22)}`;
    const longest = { key: keyOf(256), origin: `https://${"ä".repeat(393)}`, referer: `https://${"ä".repeat(392)}` };
    const batch = Array.from({ length: 512 }, () => longest);
    expect((await api.authorize(...batch)).authorizations).to.have.length(512);
    const ascii = { key: keyOf(256), origin: `https://${"a".repeat(393)}`, referer: `https://${"a".repeat(392)}` };
    const full = Array.from({ length: MAX_BATCH }, () => ascii);
    expect((await api.authorize(...full)).authorizations).to.have.length(MAX_BATCH);
    for (const entry of [{ key: keyOf(60) }, {}]) {
      const error = await api.authorize(...Array.from({ length: MAX_BATCH + 1 }, () => entry)).catch((each) => each);
      expect(error).to.include({ code: "invalid" });
    }
  });

  it("accepts the longest allowlist", async () => {
    const longOrigins = Array.from({ length: 100 }, (_, at) => `https://${at + 100}${".abc".repeat(60)}.example:65535`);
    const { key } = await api.issue({ label: "ü".repeat(200), origins: longOrigins });
    expect(key.origins).to.have.length(100);
  });

  const refused: [what: string, call: () => Promise<unknown>, code: string][] = [
    ["a key without a plan", () => api.admin(KEY_ADMIN.IssueKey, { kind: "SECRET" }), "invalid"],
    ["a key without a kind", () => api.admin(KEY_ADMIN.IssueKey, { plan: "free" }), "invalid"],
    ["a missing key ID", () => api.admin(KEY_ADMIN.GetKey, {}), "not_found"],
    ["an unknown key ID", () => api.admin(KEY_ADMIN.GetKey, { keyId: "key_nobody" }), "not_found"],
    ["an unknown status", () => api.admin(KEY_ADMIN.ListKeys, { status: "gone" }), "invalid"],
    ["an unknown order", () => api.admin(KEY_ADMIN.ListKeys, { sort: "origins" }), "invalid"],
    ["a list of too many keys", () => api.admin(KEY_ADMIN.ListKeys, { keyIds: Array(1_001).fill("key_1") }), "invalid"],
    ["a page after an unknown key", () => api.admin(KEY_ADMIN.ListKeys, { pageToken: "key_nobody" }), "invalid"],
  ];
  for (const [what, call, code] of refused)
    it(`refuses ${what}: ${code}`, async () => {
      expect(await call().catch((error: unknown) => error)).to.include({ code });
    });

  for (const [name, method] of Object.entries(KEY_ADMIN))
    it(`refuses a wrong admin token: ${name}`, async () => {
      const error = await api.admin(method, { keyId: "key_nobody" }, `${TOKEN}x`).catch((reason: unknown) => reason);
      expect(error).to.include({ code: "unauthenticated" });
    });
});
