import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Caller } from "@geolookup/shared/domain/operators.ts";
import type { OperatorEvent, OperatorLog, OperatorLogFollower } from "@geolookup/shared/logs/operators/operator-log.ts";
import { callUnary, openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import { KEY_ADMIN, OPERATORS } from "@geolookup/shared/runtime/grpc/services.ts";
import { expect } from "chai";
import { type NatsServer, startNatsServer } from "../../../../test/harness/nats-server.ts";
import { rejection } from "../../../../test/harness/rejection.ts";
import { tempFolder } from "../../../../test/harness/temp-folder.ts";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { newRingText } from "../signing/signing-ring.ts";
import { type AuthApi, type AuthProcess, startAuth, TOKEN } from "../testing/auth-process.ts";
import { openOperators } from "./operators.ts";

const TOKEN_SHAPE = /^geo_op_[0-9A-Za-z]{40}$/;
const SOON_MS = 1_000;

describe("operators of two auth nodes", () => {
  const opened = new AsyncDisposableStack();
  let nats: NatsServer;
  let nodes: AuthProcess[];
  let a: AuthApi;
  let b: AuthApi;
  before(async () => {
    nats = opened.use(await startNatsServer());
    const ring = join(tempFolder(), "signing-keys.json");
    writeFileSync(ring, newRingText(randomBytes), { mode: 0o600 });
    const start = () =>
      opened.use(
        startAuth({ ADMIN_TOKEN: TOKEN, NATS_URL: nats.url, SIGNING_KEYS_FILE: ring, DATA_DIR: tempFolder() }),
      );
    nodes = [start(), start()];
    const ready = await Promise.all(nodes.map((node) => node.ready()));
    [a, b] = ready as [AuthApi, AuthApi];
  });
  after(() => opened.disposeAsync());

  let count = 0;
  const newName = () => `operator-${++count}@example.com`;
  const add = (name = newName(), role = "operator", expiresAt = "") =>
    a.admin(OPERATORS.AddOperator, { name, role, expiresAt });
  const whoAt = (node: AuthApi, token = "") => node.admin(OPERATORS.WhoAmI, {}, token);
  /** Who a call is for that the portal makes for somebody who has signed in. */
  const namedAt = async ({ target }: AuthApi, operator: Caller) => {
    using client = openClient(target, undefined, { "grpc.use_local_subchannel_pool": 1 });
    return await callUnary(client, OPERATORS.WhoAmI, {}, { deadlineMs: 15_000, token: TOKEN, operator });
  };
  const isRefused = (call: Promise<unknown>) =>
    call.then(
      () => false,
      (error: { code: string }) => error.code === "unauthenticated",
    );

  it("are known at every node when the command returns", async () => {
    for (let round = 0; round < 20; round += 1) {
      const name = newName();
      const { token, operator } = await add(name);
      expect(token).to.match(TOKEN_SHAPE);
      expect(operator).to.include({ name, role: "operator", version: 1 });
      expect(await whoAt(b, token)).to.include({ name, role: "operator" });
    }
  });

  it("are recorded by name in what they change", async () => {
    const { token, operator } = await add();
    const { key } = await b.admin(KEY_ADMIN.IssueKey, { kind: "SECRET", plan: "free" }, token);
    const { events } = await b.admin(KEY_ADMIN.GetHistory, { keyId: key?.keyId ?? "" });
    expect(events.map(({ by }) => by)).to.deep.equal([operator?.name]);
  });

  it("are refused at every node within a second after they are removed, until they are added again", async () => {
    const { token, operator } = await add();
    const name = operator?.name ?? "";
    await whoAt(b, token);
    expect(await a.admin(OPERATORS.RemoveOperator, { name })).to.have.property("removedAt");
    await waitFor("the removal at b", () => isRefused(whoAt(b, token)), SOON_MS);
    expect(await isRefused(whoAt(a, token))).to.equal(true);
    for (const node of [a, b]) expect(await isRefused(namedAt(node, { name, role: "operator" }))).to.equal(true);
    expect(await rejection(a.admin(OPERATORS.SetOperatorRole, { name, role: "admin" }))).to.include({
      code: "precondition",
    });
    const again = await add(name, "viewer");
    expect(again.operator).to.include({ version: 3, role: "viewer" }).and.not.have.property("removedAt");
    expect(await whoAt(b, again.token)).to.include({ role: "viewer" });
    expect(await isRefused(whoAt(b, token))).to.equal(true);
  });

  it("can't use a replaced token", async () => {
    const { token, operator } = await add();
    const { token: next } = await b.admin(OPERATORS.ReplaceOperatorToken, { name: operator?.name ?? "" });
    expect(next).to.match(TOKEN_SHAPE).and.not.equal(token);
    expect(await whoAt(a, next)).to.include({ name: operator?.name });
    await waitFor("the old one's end", () => isRefused(whoAt(a, token)), SOON_MS);
  });

  it("have the new role at every node within a second", async () => {
    const { token, operator } = await add();
    await a.admin(OPERATORS.SetOperatorRole, { name: operator?.name ?? "", role: "admin" });
    await waitFor("the role at b", async () => (await whoAt(b, token)).role === "admin", SOON_MS);
  });

  it("can't use a token after its expiry", async () => {
    const { token, operator } = await add(newName(), "viewer", new Date(Date.now() + 1_500).toISOString());
    expect(await whoAt(b, token)).to.include({ expiresAt: operator?.expiresAt });
    await waitFor("its end", () => isRefused(whoAt(b, token)), 1_500 + SOON_MS);
    expect((await rejection(whoAt(b, token))).message).to.include(`expired at ${operator?.expiresAt}`);
    const named = namedAt(b, { name: operator?.name ?? "", role: "viewer" });
    expect((await rejection(named)).message).to.include("expired at");
  });

  it("have their own role, whatever the portal says; others have the one that it says", async () => {
    const { operator } = await add(newName(), "viewer");
    const name = operator?.name ?? "";
    expect(await namedAt(a, { name, role: "admin" })).to.include({ name, role: "viewer" });
    const other = { name: "someone+else@example.com", role: "operator" } as const;
    expect(await namedAt(a, other)).to.deep.equal(other);
    expect(await whoAt(a, TOKEN)).to.deep.equal({ name: "admin", role: "admin" });
  });

  it("get one of many concurrent changes each", async () => {
    const name = newName();
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, (_, index) =>
        (index % 2 === 0 ? a : b).admin(OPERATORS.AddOperator, { name, role: "viewer" }),
      ),
    );
    const [token, ...others] = results.flatMap((result) => (result.status === "fulfilled" ? result.value.token : []));
    expect(others).to.deep.equal([]);
    expect(await whoAt(b, token)).to.include({ name });
  });

  const name = "carol";
  for (const [what, request, code] of [
    ["without a name", { role: "viewer" }, "invalid"],
    ["named admin", { name: "admin", role: "viewer" }, "invalid"],
    ["named like customers who rotate their keys", { name: "self-service", role: "viewer" }, "invalid"],
    ["with capitals", { name: "Carol", role: "viewer" }, "invalid"],
    ["with 65 characters", { name: "c".repeat(65), role: "viewer" }, "invalid"],
    ["with a wildcard", { name: "c*", role: "viewer" }, "invalid"],
    ["without a role", { name }, "invalid"],
    ["with an unknown role", { name, role: "owner" }, "invalid"],
    ["with a past expiry", { name, role: "viewer", expiresAt: "2020-01-01T00:00:00Z" }, "invalid"],
    ["with an expiry that isn't a time", { name, role: "viewer", expiresAt: "soon" }, "invalid"],
  ] as const)
    it(`can't be added ${what}`, async () => {
      expect(await rejection(a.admin(OPERATORS.AddOperator, request))).to.include({ code });
    });

  it("can't be changed before they are added, or added twice", async () => {
    expect(await rejection(a.admin(OPERATORS.RemoveOperator, { name: "nobody" }))).to.include({ code: "not_found" });
    const { operator } = await add();
    const again = a.admin(OPERATORS.AddOperator, { name: operator?.name ?? "", role: "admin" });
    expect(await rejection(again)).to.include({ code: "precondition" });
  });

  for (const [what, token] of [
    ["an unknown token", `geo_op_${"A".repeat(40)}`],
    ["a token of another length", `geo_op_${"A".repeat(41)}`],
    ["the hash of a token", "ab".repeat(32)],
  ] as const)
    it(`doesn't include the owner of ${what}`, async () => {
      expect(await rejection(whoAt(a, token))).to.include({ code: "unauthenticated" });
    });

  it("have tokens that are in no log and no file", async () => {
    const { token = "" } = await add();
    await whoAt(b, token);
    for (const node of nodes) expect(node.stderr()).to.not.include(token);
    const files = readdirSync(nats.folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const found = files.filter(({ parentPath, name: file }) => readFileSync(join(parentPath, file)).includes(token));
    expect(found).to.deep.equal([]);
  });

  it("are refused while a node can't know who was removed; ADMIN_TOKEN works", async () => {
    const { token, operator } = await add();
    await whoAt(b, token);
    await nats.kill("SIGKILL");
    const isUnavailable = (call: Promise<unknown>) =>
      call.then(
        () => false,
        (error: { code: string }) => error.code === "unavailable",
      );
    await waitFor("a refusal", () => isUnavailable(whoAt(b, token)), 10_000);
    expect(await isUnavailable(namedAt(b, { name: operator?.name ?? "", role: "operator" }))).to.equal(true);
    expect(await whoAt(b, TOKEN)).to.include({ name: "admin" });
    await nats.restart();
    await waitFor("the operator", () => whoAt(b, token), 10_000);
  });
});

describe("operators of auth on files", () => {
  it("are still there after it was killed", async () => {
    const environment = { STORES: "embedded", DATA_DIR: tempFolder(), ADMIN_TOKEN: TOKEN };
    const tokens: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      await using auth = startAuth(environment);
      const { admin } = await auth.ready();
      for (const token of tokens) expect(await admin(OPERATORS.WhoAmI, {}, token)).to.include({ role: "viewer" });
      const { token = "" } = await admin(OPERATORS.AddOperator, { name: `operator-${round}`, role: "viewer" });
      tokens.push(token);
      await auth.kill("SIGKILL");
    }
  });
});

describe("operators at a node that lags behind", () => {
  const token = `geo_op_${"a".repeat(40)}`;
  const tokenSha256 = createHash("sha256").update(token).digest("hex");
  const added: OperatorEvent = {
    ...{ id: "1", type: "OperatorAdded", operator: "alice", version: 1, at: "2026-01-01T00:00:00Z", by: "admin" },
    data: { role: "viewer", tokenSha256 },
  };
  /** Its follower has the event only after a look at the end of the log. */
  const openLagging = (ageMs = 0) => {
    let refreshes = 0;
    let follower: OperatorLogFollower | undefined;
    const operatorLog: OperatorLog = {
      follow: (each) => {
        follower = each;
        each.reset([]);
      },
      refresh: async () => {
        refreshes += 1;
        follower?.reset([added]);
      },
      append: async () => undefined,
      events: () => [],
      ageMs: () => ageMs,
      [Symbol.asyncDispose]: async () => undefined,
    };
    return { operators: openOperators({ operatorLog, clock: Date.now, randomBytes }), refreshes: () => refreshes };
  };

  it("are looked for at the end of the log before a token is refused, and only then", async () => {
    const { operators, refreshes } = openLagging();
    for (let call = 0; call < 3; call += 1) expect(await operators.withToken(token)).to.include({ name: "alice" });
    expect(refreshes()).to.equal(1);
    expect(await rejection(operators.withToken(`${token.slice(0, -1)}b`))).to.include({ code: "unauthenticated" });
    expect(refreshes()).to.equal(2);
  });

  it("are refused when it doesn't know for how long it lags, but others whom the portal names aren't", async () => {
    const { operators } = openLagging(5_001);
    expect(await rejection(operators.withToken(token))).to.include({ code: "unavailable" });
    expect(() => operators.current({ name: "alice", role: "viewer" })).to.throw("can't be checked now");
    expect(operators.current({ name: "bob", role: "viewer" })).to.deep.equal({ name: "bob", role: "viewer" });
    const unread = openLagging(Number.POSITIVE_INFINITY).operators;
    expect(() => unread.current({ name: "bob", role: "viewer" })).to.throw("can't be checked now");
  });
});
