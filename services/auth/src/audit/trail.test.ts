import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Caller } from "@geolookup/shared/domain/operators.ts";
import type { AuditEntry__Output as WireEntry } from "@geolookup/shared/generated/geolookup/auth/v1/AuditEntry.ts";
import type { ListEntriesRequest } from "@geolookup/shared/generated/geolookup/auth/v1/ListEntriesRequest.ts";
import { callUnary, openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import { AUDIT, KEY_ADMIN, OPERATORS } from "@geolookup/shared/runtime/grpc/services.ts";
import { expect } from "chai";
import { startNatsServer } from "../../../../test/harness/nats-server.ts";
import { rejection } from "../../../../test/harness/rejection.ts";
import { tempFolder } from "../../../../test/harness/temp-folder.ts";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { newRingText } from "../signing/signing-ring.ts";
import { type AuthApi, type AuthProcess, startAuth, TOKEN } from "../testing/auth-process.ts";

/** 20 in `make test-full`: each takes about three seconds. */
const KILLS = Number(process.env.KILLS ?? 2);
const DEADLINE_MS = 10_000;

/** All entries, newest first, page by page. */
async function entriesAt({ target }: AuthApi, request: ListEntriesRequest = {}, operator?: Caller) {
  using client = openClient(target, undefined, { "grpc.use_local_subchannel_pool": 1 });
  const entries: WireEntry[] = [];
  let pageToken = "";
  do {
    const options = { deadlineMs: 15_000, token: TOKEN, operator };
    const page = await callUnary(client, AUDIT.ListEntries, { ...request, pageToken }, options);
    entries.push(...page.entries);
    pageToken = page.nextPageToken ?? "";
  } while (pageToken !== "");
  return entries;
}

const STORES: [name: string, open: (opened: AsyncDisposableStack) => Promise<() => AuthProcess[]>][] = [
  [
    "in files",
    async (opened) => {
      const dataDir = tempFolder();
      return () => [
        opened.use(startAuth({ STORES: "embedded", DATA_DIR: dataDir, ADMIN_TOKEN: TOKEN, AUDIT_LOG: "stdout" })),
      ];
    },
  ],
  [
    "of two nodes on NATS",
    async (opened) => {
      const server = opened.use(await startNatsServer());
      const ring = join(tempFolder(), "signing-keys.json");
      writeFileSync(ring, newRingText(randomBytes), { mode: 0o600 });
      const folders = [tempFolder(), tempFolder()];
      const shared = { ADMIN_TOKEN: TOKEN, NATS_URL: server.url, SIGNING_KEYS_FILE: ring, AUDIT_LOG: "stdout" };
      return () => folders.map((folder) => opened.use(startAuth({ ...shared, DATA_DIR: folder })));
    },
  ],
];

for (const [name, openStore] of STORES)
  describe(`the audit trail ${name}`, () => {
    let opened: AsyncDisposableStack;
    let start: () => AuthProcess[];
    beforeEach(async () => {
      opened = new AsyncDisposableStack();
      start = await openStore(opened);
    });
    afterEach(() => opened.disposeAsync());
    const ready = (nodes: readonly AuthProcess[]) => Promise.all(nodes.map((node) => node.ready()));
    const first = (apis: readonly AuthApi[]) => apis[0] as AuthApi;
    const last = (apis: readonly AuthApi[]) => apis.at(-1) as AuthApi;
    const waitForActions = (api: AuthApi, subject: string, ...actions: string[]) =>
      waitFor(
        actions.join(),
        async () => (await entriesAt(api, { subject })).map(({ action }) => action).join() === actions.join(),
        DEADLINE_MS,
      );

    it("has what operators did, with their names, before and after, and shows it by role", async () => {
      const nodes = start();
      const apis = await ready(nodes);
      const { token = "" } = await first(apis).admin(OPERATORS.AddOperator, { name: "alice", role: "operator" });
      const { key } = await first(apis).admin(
        KEY_ADMIN.IssueKey,
        { kind: "SECRET", plan: "free", label: "Shop" },
        token,
      );
      const keyId = key?.keyId ?? "";
      await last(apis).admin(KEY_ADMIN.SetPlan, { keyId, plan: "paid" }, token);
      await first(apis).admin(OPERATORS.SetOperatorRole, { name: "alice", role: "viewer" });
      await first(apis).admin(AUDIT.RecordEntry, { action: "SignedIn", by: "alice", subject: "oidc" });
      await waitForActions(last(apis), keyId, "KeyPlanChanged", "KeyIssued");
      await waitForActions(last(apis), "alice", "OperatorRoleChanged", "OperatorAdded");
      await first(apis).admin(AUDIT.RecordEntry, { action: "SignedOut", by: "admin", subject: "admin" });
      await waitForActions(last(apis), "oidc", "SignedIn");
      await waitForActions(last(apis), "admin", "SignedOut");
      const elsewhere = first(apis).admin(AUDIT.RecordEntry, { action: "SignedIn", by: "alice", subject: "window" });
      expect(await rejection(elsewhere)).to.include({ code: "invalid" });
      const [changed, issued] = await entriesAt(last(apis), { subject: keyId });
      expect(changed).to.include({ by: "alice", beforeJson: '{"plan":"free"}', afterJson: '{"plan":"paid"}' });
      expect(issued).to.include({ by: "alice", beforeJson: "" });
      expect(JSON.parse(issued?.afterJson ?? "")).to.include({ label: "Shop", plan: "free" });
      const [{ at: madeAt = "" } = {}] = await entriesAt(last(apis), { subject: "alice" });
      expect(await entriesAt(last(apis), { since: madeAt, action: "KeyIssued" })).to.deep.equal([]);
      expect((await entriesAt(last(apis), { until: madeAt, by: "alice" })).map(({ action }) => action)).to.deep.equal([
        "KeyPlanChanged",
        "KeyIssued",
      ]);

      const asOperator = await entriesAt(last(apis), {}, { name: "bob", role: "operator" });
      expect(new Set(asOperator.map(({ action }) => action))).to.deep.equal(
        new Set([
          "KeyPlanChanged",
          "KeyIssued",
          "PlansChanged",
          ...asOperator.flatMap(({ action = "" }) => (/^Upgrade/.test(action) ? ["never"] : [])),
        ]),
      );
      expect(await rejection(entriesAt(last(apis), {}, { name: "bob", role: "viewer" }))).to.include({
        code: "forbidden",
      });
      const everything = await entriesAt(last(apis));
      expect(JSON.stringify(everything)).not.to.include(token);
      expect(new Set(everything.map(({ id }) => id)).size).to.equal(everything.length);
      await Promise.all(nodes.map((node) => node.stop()));
      const printed = nodes.flatMap((node) =>
        node
          .stdout()
          .split("\n")
          .filter((line) => line.includes('"msg":"audit"')),
      );
      expect(printed.map((line) => JSON.parse(line).id)).to.have.members(everything.map(({ id }) => id));
    });

    it("sums up refused sign-ins, of which a minute has no more than one entry for each door", async () => {
      const nodes = start();
      const [api] = await ready(nodes);
      const wrong = () => rejection((api as AuthApi).admin(KEY_ADMIN.GetPlans, {}, "geo_op_wrong"));
      for (let attempt = 0; attempt < 12; attempt += 1) expect(await wrong()).to.include({ code: "unauthenticated" });
      for (let attempt = 0; attempt < 8; attempt += 1)
        await (api as AuthApi).admin(AUDIT.RecordEntry, {
          action: "SignInRefused",
          subject: "oidc",
          by: `x${attempt}`,
        });
      await Promise.all(nodes.map((node) => node.stop()));
      const again = first(await ready(start()));
      const entries = await entriesAt(again, { action: "SignInRefused" });
      // The attempts may have taken two minutes to the clock.
      expect(entries.length).to.be.within(2, 4);
      const sum = (door: string) =>
        entries.filter(({ subject }) => subject === door).reduce((total, { count = 0 }) => total + count, 0);
      expect([sum("token"), sum("oidc")]).to.deep.equal([12, 8]);
      for (const { by, at } of entries)
        expect({ by, at }).to.deep.equal({ by: "", at: at?.replace(/:\d\d\.\d+Z$/, ":00.000Z") });
    });

    it(`has every event exactly once, although auth is killed ${KILLS} times in the middle of changes`, async function () {
      this.timeout(180_000);
      const acknowledged: string[] = [];
      for (let round = 0; round < KILLS; round += 1) {
        const nodes = start();
        const apis = await ready(nodes);
        const { keyId } = await first(apis).issue();
        await waitFor("the key at the last node", () => last(apis).admin(KEY_ADMIN.GetKey, { keyId }), DEADLINE_MS);
        acknowledged.push(keyId);
        const changing = apis.map(async (api, at) => {
          for (let count = 0; ; count += 1) {
            await api.admin(KEY_ADMIN.SetLabel, { keyId, label: `label ${at} ${count}` });
            if (count === round % 4) for (const node of nodes) node.kill("SIGKILL");
          }
        });
        await Promise.allSettled(changing);
        await Promise.all(nodes.map((node) => node.exited));
      }
      const api = first(await ready(start()));
      for (const keyId of acknowledged) {
        const { events } = await api.admin(KEY_ADMIN.GetHistory, { keyId });
        const ids = events.map(({ id }) => id).reverse();
        const found = async () => (await entriesAt(api, { subject: keyId })).map(({ id }) => id);
        await waitFor(
          `the ${ids.length} events of ${keyId}`,
          async () => (await found()).length >= ids.length,
          DEADLINE_MS,
        );
        expect(await found()).to.deep.equal(ids);
        const labels = (await entriesAt(api, { subject: keyId, action: "KeyLabelChanged" })).reverse();
        for (const [at, entry] of labels.slice(1).entries())
          expect(entry.beforeJson, "is what it was after the change before").to.equal(labels[at]?.afterJson);
      }
    });
  });
