import { MAX_BATCH } from "@geolookup/shared/runtime/grpc/limits.ts";
import { expect } from "chai";
import { tempFolder } from "../../../../test/harness/temp-folder.ts";
import { type AuthApi, type AuthProcess, type Issued, startAuth, TOKEN } from "../testing/auth-process.ts";

type Key = Record<string, unknown> & { keyId: string };

describe("auth over gRPC", () => {
  let running: AuthProcess;
  let api: AuthApi;
  before(async () => {
    running = startAuth({ STORES: "embedded", DATA_DIR: tempFolder(), ADMIN_TOKEN: TOKEN });
    api = await running.ready();
  });
  after(() => running.stop());

  const origins = ["https://example.com"];
  const issue = () =>
    api.admin<Issued & { key: Key }>("issueKey", { kind: "PUBLISHABLE", plan: "paid", label: "Shop", origins });
  /** The key as it is shown once it is issued. */
  const shown = ({ secret, key: { keyId, createdAt } }: Issued & { key: Key }) => ({
    keyId,
    kind: "PUBLISHABLE",
    plan: "paid",
    label: "Shop",
    origins,
    display: `geo_pk_…${secret.slice(-4)}`,
    status: "active",
    createdAt,
    version: 1,
  });

  it("administers keys, and shows a key's secret in its answer alone", async () => {
    const issued = await issue();
    const { keyId } = issued.key;
    const key = shown(issued);
    expect(issued.key).to.deep.equal(key);
    expect(await api.admin("setPlan", { keyId, plan: "free" })).to.deep.equal({ ...key, plan: "free", version: 2 });
    expect(await api.admin("setLabel", { keyId, label: "" })).to.include({ version: 3 });
    expect(await api.admin("setOrigins", { keyId, origins: [] })).to.deep.include({ origins: [], version: 4 });
    expect(await api.admin("getKey", { keyId })).to.include({ version: 4, status: "active" });
    const revoked = await api.admin<Key>("revokeKey", { keyId, reason: "test" });
    expect(revoked).to.include({ status: "revoked", revokedReason: "test", version: 5 });
    const listed = { keys: [revoked], nextPageToken: "" };
    expect(await api.admin("listKeys", { search: keyId })).to.deep.equal(listed);
    expect((await api.admin<{ keys: Key[] }>("listKeys", {})).keys).to.deep.include(revoked);

    type Event = { type: string; dataJson: string; by: string };
    const { events } = await api.admin<{ events: Event[] }>("getHistory", { keyId });
    expect(events.map(({ type }) => type)).to.deep.equal([
      "KeyIssued",
      "KeyPlanChanged",
      "KeyLabelChanged",
      "KeyOriginsChanged",
      "KeyRevoked",
    ]);
    expect(events[1]).to.include({ keyId, version: 2, by: "admin", dataJson: '{"plan":"free"}' });
    const error = await api.admin("setPlan", { keyId, plan: "paid" }).catch((reason: unknown) => reason);
    expect(error, "a revoked key's plan").to.include({ code: "precondition" });
    expect(running.stderr()).not.to.include(issued.secret);
  });

  it("changes nothing that was meant for another version of the key", async () => {
    const { keyId } = (await issue()).key;
    await api.admin("setLabel", { keyId, label: "b", expectedVersion: 1 });
    for (const [method, request] of [
      ["setLabel", { label: "c" }],
      ["setPlan", { plan: "free" }],
      ["setOrigins", { origins: [] }],
    ] as const) {
      const late = { keyId, ...request, expectedVersion: 1 };
      const error = await api.admin(method, late).catch((reason: unknown) => reason);
      expect(error, method).to.include({ code: "conflict" });
    }
    expect(await api.admin("getKey", { keyId })).to.include({ label: "b", plan: "paid", version: 2 });
  });

  it("judges many keys at once, each by itself", async () => {
    const issued = await issue();
    const { secret: key } = issued;
    const { keyId, kind, plan, display } = shown(issued);
    const grant = { keyId, kind, plan, fields: "PAID", monthlyRequests: 1_000_000, origins, display };
    const { verdicts } = await api.authorize(
      { key, origin: "https://example.com" },
      { key: "nonsense" },
      { key, origin: "https://evil.example" },
      { key },
      { key, referer: "https://example.com/page" },
      { key: `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}` },
      {},
    );
    expect(verdicts).to.deep.equal([
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
    expect((await api.authorize(...batch)).verdicts).to.have.length(512);
    const ascii = { key: keyOf(256), origin: `https://${"a".repeat(393)}`, referer: `https://${"a".repeat(392)}` };
    const full = Array.from({ length: MAX_BATCH }, () => ascii);
    expect((await api.authorize(...full)).verdicts).to.have.length(MAX_BATCH);
    for (const entry of [{ key: keyOf(60) }, {}]) {
      const error = await api.authorize(...Array.from({ length: MAX_BATCH + 1 }, () => entry)).catch((each) => each);
      expect(error).to.include({ code: "invalid" });
    }
  });

  it("accepts the longest allowlist", async () => {
    const longOrigins = Array.from({ length: 100 }, (_, at) => `https://${at + 100}${".abc".repeat(60)}.example:65535`);
    const { key } = await api.admin<Issued & { key: Key & { origins: string[] } }>("issueKey", {
      ...{ kind: "PUBLISHABLE", plan: "paid", label: "ü".repeat(200), origins: longOrigins },
    });
    expect(key.origins).to.have.length(100);
  });

  for (const [what, method, request, code] of [
    ["a key without a plan", "issueKey", { kind: "SECRET" }, "invalid"],
    ["a key without a kind", "issueKey", { plan: "free" }, "invalid"],
    ["no key's id", "getKey", {}, "not_found"],
    ["an unknown key's id", "getKey", { keyId: "key_nobody" }, "not_found"],
    ["an unknown status", "listKeys", { status: "gone" }, "invalid"],
    ["a page after an unknown key", "listKeys", { pageToken: "key_nobody" }, "invalid"],
  ] as const)
    it(`refuses ${what}: ${method}, ${code}`, async () => {
      const error = await api.admin(method, request).catch((reason: unknown) => reason);
      expect(error).to.include({ code });
    });

  for (const method of [
    "issueKey",
    "listKeys",
    "getKey",
    "revokeKey",
    "setPlan",
    "setOrigins",
    "setLabel",
    "getHistory",
  ])
    it(`refuses another admin token: ${method}`, async () => {
      const request = { keyId: "key_nobody", kind: "SECRET", plan: "free" };
      const error = await api.admin(method, request, `${TOKEN}x`).catch((reason: unknown) => reason);
      expect(error).to.include({ code: "unauthenticated" });
    });
});
