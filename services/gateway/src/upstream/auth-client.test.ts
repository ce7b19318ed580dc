import type { KeyCheck } from "@geolookup/shared/domain/authorize.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { createLog } from "@geolookup/shared/runtime/observability/log.ts";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { startTcpProxy, type TcpProxy } from "../../../../test/harness/tcp-proxy.ts";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { type FakeNode, startNode, targetOf } from "../testing/start-node.ts";
import { connectAuth, createLogProgress } from "./auth-client.ts";

const CHECK: KeyCheck = { key: "geo_sk_1", origin: null, referer: null };
const RETURN_MS = 5_000;

describe("connectAuth", () => {
  let first: FakeNode;
  let second: FakeNode;
  let proxy: TcpProxy;
  let auth: ReturnType<typeof connectAuth>;
  let registry: Registry;
  let opened: AsyncDisposableStack;

  const hedges = async () => (await registry.getSingleMetric("geolookup_auth_hedges_total")?.get())?.values[0]?.value;

  const planOf = async () => {
    const { authorization } = await auth.authorizeWithPosition(CHECK);
    return authorization.outcome === "granted" ? authorization.grant.plan : authorization.outcome;
  };
  const plans = async () => {
    const seen = new Set<string>();
    for (let turn = 0; turn < 6; turn += 1) seen.add(await planOf());
    return seen;
  };

  before(async () => {
    [first, second] = await Promise.all([startNode("first"), startNode("second")]);
  });
  after(() => Promise.all([first, second].map((node) => node[Symbol.asyncDispose]())));
  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    proxy = opened.use(await startTcpProxy(first.port));
    registry = new Registry();
    auth = opened.use(connectAuth(targetOf(proxy.port, second.port), createLog("test", "error"), registry));
    await waitFor("both nodes to respond", async () => (await plans()).size === 2, RETURN_MS);
  });
  afterEach(async () => {
    for (const { child } of [first, second]) child.kill("SIGCONT");
    await opened.disposeAsync();
  });

  it("returns the authorization with auth's position", async () => {
    const { authorization, position } = await auth.authorizeWithPosition(CHECK);
    expect(position).to.deep.equal({ epoch: "epoch", sequence: 7 });
    expect(authorization).to.deep.include({ outcome: "granted" });
    expect(await auth.authorize(CHECK)).to.deep.include({ outcome: "granted" });
    expect(authorization).to.have.nested.property("grant.origins").that.deep.equals(["https://shop.example"]);
    // A node of version 0.1 doesn't send limits.
    expect(authorization).to.have.property("grant").that.does.not.have.property("limits");
  });

  const losses: readonly (readonly [name: string, lose: () => void])[] = [
    ["stopped", () => first.child.kill("SIGSTOP")],
    ["black-holed", () => proxy.blackhole()],
    ["killed", () => first.child.kill("SIGKILL")],
  ];
  for (const [name, lose] of losses) {
    it(`one node of two ${name}: every key is authorized in time`, async () => {
      lose();
      // A call that takes longer than the client's deadline fails.
      for (let turn = 0; turn < 40; turn += 1) expect(await planOf()).to.equal("second");
      if (name !== "killed") expect(await hedges()).to.be.at.least(1);
      else first = await startNode("first");
    });
  }

  it("all nodes stopped: unavailable until they are back", async () => {
    for (const node of [first, second]) node.child.kill("SIGSTOP");
    const failure = await planOf().catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(ServiceError).and.include({ code: "unavailable" });
    for (const node of [first, second]) node.child.kill("SIGCONT");
    await waitFor("both nodes to respond", async () => (await plans()).size === 2, RETURN_MS);
  });
});

const at = (sequence: number, epoch = "epoch") => ({ epoch, sequence });

describe("createLogProgress", () => {
  type Report = readonly [position: ReturnType<typeof at> | null, ageMs: number];
  const cases: readonly (readonly [name: string, reports: readonly Report[], isBehind: boolean, highest: number])[] = [
    ["a node that follows the log is current", [[at(3), 900]], false, 3],
    ["so is one of an earlier version or with an embedded log, without a position", [[null, 0]], false, 0],
    ["one that lost its feed is behind", [[at(3), 5_000]], true, 3],
    [
      "one that has read less than another is behind",
      [
        [at(4), 0],
        [at(3), 0],
      ],
      true,
      4,
    ],
    [
      "even if the other has lost its feed",
      [
        [at(4), 60_000],
        [at(3), 0],
      ],
      true,
      4,
    ],
    [
      "two that have read the same are current",
      [
        [at(4), 0],
        [at(4), 0],
      ],
      false,
      4,
    ],
    [
      "a new log counts from its start",
      [
        [at(4), 0],
        [at(1, "new"), 0],
      ],
      false,
      1,
    ],
    [
      "a node that lost its feed can't bring back an old log",
      [
        [at(1, "new"), 0],
        [at(4), 60_000],
        [at(1, "new"), 0],
      ],
      false,
      1,
    ],
  ];
  for (const [name, reports, isBehind, highest] of cases)
    it(name, () => {
      const progress = createLogProgress();
      const results = reports.map(([position, ageMs]) => progress.isBehind(position, ageMs));
      expect(results.at(-1)).to.equal(isBehind);
      expect(progress.highest()?.sequence ?? 0).to.equal(highest);
    });
});
