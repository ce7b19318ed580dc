import { KEY_ADMIN } from "@geolookup/shared/runtime/grpc/services.ts";
import { expect } from "chai";
import { rejection } from "../../../../test/harness/rejection.ts";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { type AuthApi, sharedAuth } from "../testing/auth-process.ts";

const YEAR_MS = 366 * 86_400_000;

describe("the life of keys over gRPC", () => {
  let api: AuthApi;
  before(async () => {
    api = await sharedAuth().ready();
  });

  const authorize = async (key: string) => (await api.authorize({ key })).authorizations[0];
  let customers = 0;
  const addCustomer = async (request: { plan?: string; monthlyRequests?: number; name?: string } = {}) => {
    const id = `customer-${++customers}`;
    await api.admin(KEY_ADMIN.AddCustomer, { id, plan: "free", ...request });
    return id;
  };

  it("rotates a key: both work until the overlap ends, and count toward one quota", async () => {
    const { secret, keyId } = await api.issue({
      kind: "SECRET",
      plan: "paid",
      label: "Shop",
      metadata: { tier: "gold" },
    });
    const rotated = await api.admin(KEY_ADMIN.RotateKey, { keyId, overlapSeconds: 3_600, expectedVersion: 1 });
    const successor = rotated.key?.keyId ?? "";
    expect(rotated.key).to.deep.include({
      ...{ kind: "SECRET", plan: "paid", label: "Shop", status: "active", version: 1, rotatedFrom: keyId },
      ...{ metadata: { tier: "gold" }, quota: { id: keyId, monthlyRequests: 1_000_000 } },
    });
    const before = await api.admin(KEY_ADMIN.GetKey, { keyId });
    expect(before).to.include({ status: "active", rotatedTo: successor, version: 2 });
    const inMs = Date.parse(before.endsAt ?? "") - Date.now();
    expect(inMs).to.be.within(3_500_000, 3_600_000);
    expect(await authorize(secret)).to.have.nested.property("grant.end.how", "rotated");
    const granted = await authorize(rotated.secret ?? "");
    expect(granted).to.have.nested.property("grant.quota.id", keyId);
    expect(granted).to.not.have.nested.property("grant.end");

    const again = await rejection(api.admin(KEY_ADMIN.RotateKey, { keyId }));
    expect(again).to.include({ code: "precondition" });
    expect(again.message).to.include(successor);
    await api.admin(KEY_ADMIN.SetLabel, { keyId: successor, label: "New", expectedVersion: 1 });
    const { events } = await api.admin(KEY_ADMIN.GetHistory, { keyId: successor });
    expect(events.map(({ type, keyId: id }) => [type, id])).to.deep.equal([
      ["KeyRotated", keyId],
      ["KeyLabelChanged", successor],
    ]);
  });

  /** The response has the grant, too: it tells gateways which events can revive the key. */
  const expectEnd = async (secret: string, end: { how: string; at: string | undefined }) => {
    const authorization = await authorize(secret);
    expect(authorization).to.deep.include({ outcome: "UNKNOWN_KEY", end });
    expect(authorization?.grant).to.deep.include({ end });
  };

  it("ends a key at once when it is rotated without an overlap", async () => {
    const { secret, keyId } = await api.issue();
    const rotated = await api.admin(KEY_ADMIN.RotateKey, { keyId: secret });
    const { endsAt } = await api.admin(KEY_ADMIN.GetKey, { keyId });
    await expectEnd(secret, { how: "rotated", at: endsAt });
    expect(await authorize(rotated.secret ?? "")).to.include({ outcome: "GRANTED" });
    expect(await api.admin(KEY_ADMIN.GetKey, { keyId })).to.include({ status: "rotated" });
  });

  it("lets a key expire, and revives it by a later expiry", async () => {
    const expiresAt = new Date(Date.now() + 1_500).toISOString();
    const { secret, keyId, key } = await api.issue({ kind: "SECRET", plan: "free", expiresAt });
    expect(key).to.include({ status: "active", expiresAt });
    expect(await authorize(secret)).to.have.deep.nested.property("grant.end", { how: "expired", at: expiresAt });
    await waitFor("the expiry", async () => (await authorize(secret))?.outcome === "UNKNOWN_KEY", 5_000);
    expect(Date.now()).to.be.at.least(Date.parse(expiresAt));
    await expectEnd(secret, { how: "expired", at: expiresAt });
    expect(await api.admin(KEY_ADMIN.GetKey, { keyId })).to.include({ status: "expired" });
    await api.admin(KEY_ADMIN.SetExpiry, { keyId, expiresAt: new Date(Date.now() + YEAR_MS).toISOString() });
    expect(await authorize(secret)).to.include({ outcome: "GRANTED" });
    expect(await api.admin(KEY_ADMIN.SetExpiry, { keyId, expiresAt: "" })).to.not.have.property("expiresAt");
  });

  it("disables and enables a key", async () => {
    const { secret, keyId } = await api.issue();
    const disabled = await api.admin(KEY_ADMIN.DisableKey, { keyId, reason: "unpaid" });
    expect(disabled).to.include({ status: "disabled", disabledReason: "unpaid" });
    const { disabledAt } = disabled;
    await expectEnd(secret, { how: "disabled", at: disabledAt });
    expect(await api.admin(KEY_ADMIN.EnableKey, { keyId })).to.include({ status: "active" });
    expect(await authorize(secret)).to.include({ outcome: "GRANTED" });
  });

  it("lets keys share a customer's quota, and disables them together", async () => {
    const customer = await addCustomer({ plan: "paid", monthlyRequests: 7, name: "Acme" });
    const quota = { id: `customer_${customer}`, monthlyRequests: 7 };
    const issued = await api.issue({ kind: "SECRET", plan: "", customer });
    expect(issued.key).to.deep.include({ plan: "paid", customer, quota });
    expect(await authorize(issued.secret)).to.deep.include({ outcome: "GRANTED" });
    expect(await authorize(issued.secret)).to.deep.nested.include({ "grant.quota": quota, "grant.customer": customer });

    const other = await api.issue();
    const moved = await api.admin(KEY_ADMIN.SetCustomer, { keyId: other.keyId, customer });
    const nextMonth = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1, 1));
    const from = nextMonth.toISOString().slice(0, 7);
    expect(moved).to.deep.include({
      ...{ customer, quota: { id: other.keyId, monthlyRequests: 10_000 }, nextQuota: { ...quota, from } },
    });
    expect(await authorize(other.secret)).to.deep.nested.include({ "grant.nextQuota": { ...quota, from } });

    const listed = await api.admin(KEY_ADMIN.ListKeys, { customer });
    expect(listed.keys.map(({ keyId }) => keyId)).to.deep.equal([issued.keyId, other.keyId]);
    const shown = { id: customer, name: "Acme", plan: "paid", monthlyRequests: 7, quota, status: "active" };
    expect(await api.admin(KEY_ADMIN.GetCustomer, { id: customer })).to.deep.include({
      ...shown,
      keys: 2,
      activeKeys: 2,
    });

    const disabled = await api.admin(KEY_ADMIN.DisableCustomer, { id: customer, reason: "unpaid" });
    expect(disabled).to.include({ status: "disabled", disabledReason: "unpaid", keys: 2, activeKeys: 0 });
    for (const { secret, keyId } of [issued, other]) {
      expect(await authorize(secret)).to.deep.nested.include({ outcome: "UNKNOWN_KEY", "end.how": "disabled" });
      expect(await api.admin(KEY_ADMIN.GetKey, { keyId })).to.include({ status: "disabled", disabledReason: "unpaid" });
    }
    await api.admin(KEY_ADMIN.EnableCustomer, { id: customer });
    expect(await authorize(issued.secret)).to.include({ outcome: "GRANTED" });
    const changed = await api.admin(KEY_ADMIN.ChangeCustomer, { id: customer, name: "Ex", hasPlanQuota: true });
    expect(changed).to.deep.include({ name: "Ex", plan: "paid", quota: { ...quota, monthlyRequests: 1_000_000 } });
    const left = await api.admin(KEY_ADMIN.SetCustomer, { keyId: issued.keyId, customer: "" });
    expect(left).to.not.have.property("customer");
    const { events } = await api.admin(KEY_ADMIN.GetHistory, { keyId: `customer_${customer}` });
    expect(events.map(({ type }) => type)).to.deep.equal([
      ...["CustomerAdded", "CustomerDisabled", "CustomerEnabled", "CustomerChanged"],
    ]);
  });

  it("has no history of customers that don't exist", async () => {
    for (const keyId of ["customer_nobody", "customer_", "customer_customer_nobody"])
      expect(await rejection(api.admin(KEY_ADMIN.GetHistory, { keyId })), keyId).to.include({ code: "not_found" });
  });

  it("changes a customer only once for each expected version, and only one that exists", async () => {
    const id = await addCustomer();
    await api.admin(KEY_ADMIN.ChangeCustomer, { id, name: "a", expectedVersion: 1 });
    const late = await rejection(api.admin(KEY_ADMIN.ChangeCustomer, { id, name: "b", expectedVersion: 1 }));
    expect(late).to.include({ code: "conflict" });
    expect(await rejection(api.admin(KEY_ADMIN.AddCustomer, { id, plan: "free" }))).to.include({
      code: "precondition",
    });
    for (const call of [
      api.admin(KEY_ADMIN.GetCustomer, { id: "nobody" }),
      api.admin(KEY_ADMIN.DisableCustomer, { id: "nobody" }),
    ])
      expect(await rejection(call)).to.include({ code: "not_found" });
  });

  it("lists customers in the order in which they were added, on pages, and finds them by ID or name", async () => {
    const ids = [
      await addCustomer({ name: "Paging A" }),
      await addCustomer({ name: "other" }),
      await addCustomer({ name: "paging b" }),
    ];
    const first = await api.admin(KEY_ADMIN.ListCustomers, { search: "PAGING", pageSize: 1 });
    expect(first.customers.map(({ id }) => id)).to.deep.equal(ids.slice(0, 1));
    const second = await api.admin(KEY_ADMIN.ListCustomers, { search: "paging", pageToken: first.nextPageToken ?? "" });
    expect([second.customers.map(({ id }) => id), second.nextPageToken]).to.deep.equal([[ids[2]], ""]);
    const byId = await api.admin(KEY_ADMIN.ListCustomers, { search: ids[1] ?? "" });
    expect(byId.customers.map(({ id }) => id)).to.deep.equal([ids[1]]);
    expect(byId.total).to.be.at.least(3);
  });

  it("filters by what the status is now, and searches metadata", async () => {
    const customer = await addCustomer();
    const issue = async (label: string) => (await api.issue({ kind: "SECRET", plan: "free", customer, label })).keyId;
    const ids = { active: await issue("x"), disabled: await issue("y"), rotated: await issue("z") };
    await api.admin(KEY_ADMIN.DisableKey, { keyId: ids.disabled });
    await api.admin(KEY_ADMIN.RotateKey, { keyId: ids.rotated });
    await api.admin(KEY_ADMIN.SetMetadata, { keyId: ids.active, metadata: { "contract.no": "K-77" } });
    const find = async (request: object) =>
      (await api.admin(KEY_ADMIN.ListKeys, { customer, ...request })).keys.map(({ keyId }) => keyId);
    expect(await find({ status: "disabled" })).to.deep.equal([ids.disabled]);
    expect(await find({ status: "rotated" })).to.deep.equal([ids.rotated]);
    expect(await find({ status: "active" }))
      .to.have.length(2)
      .and.to.include(ids.active);
    expect(await find({ search: "k-77" })).to.deep.equal([ids.active]);
    expect(await find({ search: "contract.no=K-77" })).to.deep.equal([ids.active]);
    expect(await find({ search: customer, pageSize: 2 })).to.deep.equal([ids.active, ids.disabled]);
    expect((await find({ sort: "label", isDescending: true, search: customer }))[0]).to.not.equal(ids.active);
    expect(await find({ sort: "status", pageSize: 1 })).to.deep.equal([ids.active]);
    expect(await rejection(find({ status: "gone" }))).to.include({ code: "invalid" });
  });

  it("issues prepared keys at once, and again without an effect", async () => {
    const { total = 0 } = await api.admin(KEY_ADMIN.ListKeys, { pageSize: 1 });
    const keys = Array.from(
      { length: 1_000 },
      (_, index) => ({ kind: "SECRET", plan: "free", label: `bulk ${index}` }) as const,
    );
    const startedMs = performance.now();
    const prepared = await api.admin(KEY_ADMIN.PrepareKeys, { keys });
    expect(prepared.keys).to.have.length(1_000);
    expect((await api.admin(KEY_ADMIN.ListKeys, { pageSize: 1 })).total).to.equal(total);
    const requests = keys.map((key, index) => ({ ...key, ...prepared.keys[index] }));
    // As if the first call had been interrupted.
    await api.admin(KEY_ADMIN.IssueKeys, { keys: requests.slice(0, 300) });
    const issued = await api.admin(KEY_ADMIN.IssueKeys, { keys: requests });
    expect(performance.now() - startedMs).to.be.below(10_000);
    expect(issued.keys.map(({ keyId }) => keyId)).to.deep.equal(prepared.keys.map(({ keyId }) => keyId));
    expect(await api.admin(KEY_ADMIN.IssueKeys, { keys: requests })).to.deep.equal(issued);
    expect((await api.admin(KEY_ADMIN.ListKeys, { pageSize: 1 })).total).to.equal(total + 1_000);
    for (const index of [0, 999])
      expect(await authorize(prepared.keys[index]?.secret ?? "")).to.have.nested.property(
        "grant.keyId",
        requests[index]?.keyId,
      );
    const texts = ["geo_sk_nonsense", prepared.keys[5]?.secret ?? "", "", prepared.keys[7]?.secret ?? ""];
    const { found } = await api.admin(KEY_ADMIN.FindKeys, { texts });
    expect(found.map(({ index = 0, key }) => [index, key?.keyId])).to.deep.equal([
      [1, requests[5]?.keyId],
      [3, requests[7]?.keyId],
    ]);
  });

  it("issues none of many keys if one is invalid, and names it", async () => {
    const good = { kind: "SECRET", plan: "free" } as const;
    const { problems } = await api.admin(KEY_ADMIN.PrepareKeys, { keys: [good, { ...good, plan: "gold" }] });
    expect(problems).to.have.length(1);
    expect(problems[0]).to.include({ index: 1 });
    expect(problems[0]?.message).to.match(/^the plan "gold" doesn't exist/);
    const { keys } = await api.admin(KEY_ADMIN.PrepareKeys, { keys: [good, good] });
    const { total } = await api.admin(KEY_ADMIN.ListKeys, { pageSize: 1 });
    const [first = {}, second = {}] = keys;
    const forged = { ...second, secret: `${second.secret?.slice(0, -1)}${second.secret?.endsWith("0") ? "1" : "0"}` };
    const refused: [object[], RegExp][] = [
      [
        [
          { ...good, ...first },
          { ...good, ...second, plan: "gold" },
        ],
        /^request 2: the plan "gold"/,
      ],
      [[{ ...good, ...first }, good], /^request 2 has no prepared key/],
      [
        [
          { ...good, ...first },
          { ...good, ...forged },
        ],
        /^request 2 has no prepared key/,
      ],
      [
        [
          { ...good, ...first },
          { ...good, ...second, kind: "PUBLISHABLE" },
        ],
        /^request 2 has no prepared key/,
      ],
      [
        [
          { ...good, ...first },
          { ...good, ...second, keyId: first.keyId },
        ],
        /prepared only once/,
      ],
      [Array.from({ length: 1_001 }, () => good), /at most 1000/],
    ];
    for (const [requests, message] of refused) {
      const error = await rejection(api.admin(KEY_ADMIN.IssueKeys, { keys: requests }));
      expect(error).to.include({ code: "invalid" });
      expect(error.message).to.match(message);
    }
    expect((await api.admin(KEY_ADMIN.ListKeys, { pageSize: 1 })).total).to.equal(total);
    await api.admin(KEY_ADMIN.IssueKeys, { keys: [{ ...good, ...first }] });
    const taken = { ...good, ...second, secret: first.secret ?? "" };
    expect(await rejection(api.admin(KEY_ADMIN.IssueKeys, { keys: [taken] }))).to.include({ code: "invalid" });
  });

  it("finishes the upgrade only to its own version", async () => {
    const error = await rejection(api.admin(KEY_ADMIN.FinishUpgrade, { version: "99.0.0" }));
    expect(error).to.include({ code: "invalid" });
    expect(error.message).to.include("99.0.0");
  });
});
