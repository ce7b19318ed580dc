import { expect } from "chai";
import { runHere } from "../harness/command.ts";
import type { Deployment } from "../harness/deployment.ts";
import { onOperatedDeployment } from "../harness/suite.ts";
import { waitFor } from "../harness/wait-for.ts";

const SHOWN_MS = 15_000;

onOperatedDeployment("customers, operators and the audit trail, from the program", (operated) => {
  let service: Deployment;
  before(() => {
    service = operated();
  });

  const run = (args: readonly string[], environment: Record<string, string> = {}) =>
    runHere(args, { DATA_DIR: service.dataDir, ...environment });
  const json = async (...args: string[]) => {
    const { status, stdout, stderr } = await run([...args, "--json"]);
    expect(status, stderr).to.equal(0);
    return JSON.parse(stdout);
  };
  const statusOf = async (key: string) => (await service.send({ path: `/v1/geo?key=${key}` })).status;

  it("adds, lists and changes customers", async () => {
    expect(
      await json("customers", "add", "acme", "--plan", "free", "--name", "Acme", "--quota", "5000"),
    ).to.deep.include({
      ...{ id: "acme", name: "Acme", plan: "free", monthlyRequests: 5_000, status: "active", keys: 0, activeKeys: 0 },
      quota: { id: "customer_acme", monthlyRequests: 5_000 },
    });
    await json("customers", "add", "other", "--plan", "paid");
    const ids = async (...args: string[]) =>
      (await json("customers", "list", ...args)).map(({ id }: { id: string }) => id);
    expect((await ids()).filter((id: string) => ["acme", "other"].includes(id))).to.deep.equal(["acme", "other"]);
    expect(await ids("--search", "ACM")).to.deep.equal(["acme"]);
    expect(await json("customers", "rename", "acme", "Acme Inc.")).to.include({ name: "Acme Inc.", version: 2 });
    expect((await json("customers", "set-quota", "acme", "plan")).quota.monthlyRequests).to.equal(10_000);
    expect((await json("customers", "set-quota", "acme", "7")).monthlyRequests).to.equal(7);
    expect(await json("customers", "set-plan", "acme", "paid")).to.include({ plan: "paid", monthlyRequests: 7 });
    expect((await run(["customers", "show", "acme"])).stdout).to.match(/^quota +7 requests a month \(its own\)$/m);
    expect((await run(["customers", "list"])).stdout).to.match(
      /^acme +paid +7 +active +0 +0 +\d{4}-\d\d-\d\d +Acme Inc\.$/m,
    );
    const { status, stderr } = await run(["customers", "show", "nobody"]);
    expect([status, stderr]).to.deep.equal([1, 'customers: the customer "nobody" doesn\'t exist\n']);
    expect((await run(["customers", "add", "acme", "--plan", "free"])).status).to.equal(1);
  });

  it("lists a customer's keys, disables them together, and shows what they used", async () => {
    await json("customers", "add", "group", "--plan", "free");
    const issue = () => json("keys", "issue", "--kind", "secret", "--customer", "group");
    const [one, two] = [await issue(), await issue()];
    const keys = await json("customers", "keys", "group");
    expect(keys.map(({ keyId }: { keyId: string }) => keyId)).to.deep.equal([one.keyId, two.keyId]);
    expect([await statusOf(one.key), await statusOf(two.key), await statusOf(two.key)]).to.deep.equal([200, 200, 200]);
    const isCounted = async () => (await json("customers", "usage", "group")).total === 3;
    await waitFor("usage to have the requests", isCounted, SHOWN_MS);
    const usage = await json("customers", "usage", "group");
    expect(usage.keys).to.deep.equal([
      { keyId: two.keyId, total: 2 },
      { keyId: one.keyId, total: 1 },
    ]);
    expect(usage.days.map(({ requests }: { requests: number }) => requests)).to.deep.equal([3]);
    expect((await run(["customers", "usage", "group"])).stdout).to.match(new RegExp(`^${two.keyId} +2$`, "m"));
    expect(await json("customers", "disable", "group", "--reason", "unpaid")).to.include({
      ...{ status: "disabled", disabledReason: "unpaid", keys: 2, activeKeys: 0 },
    });
    expect([await statusOf(one.key), await statusOf(two.key)]).to.deep.equal([401, 401]);
    expect(await json("customers", "enable", "group")).to.include({ status: "active", activeKeys: 2 });
    expect(await statusOf(one.key)).to.equal(200);
  });

  it("adds operators, whose tokens work at once and are shown only once", async () => {
    const added = await json("operators", "add", "alice", "--role", "operator", "--expires", "30d");
    expect(added)
      .to.include({ name: "alice", role: "operator" })
      .and.to.have.keys("name", "role", "token", "expiresAt");
    expect(added.token).to.match(/^geo_op_[0-9A-Za-z]{40}$/);
    const asAlice = { ADMIN_TOKEN: added.token };
    const issued = await run(["keys", "issue", "--kind", "secret", "--plan", "free", "--json"], asAlice);
    expect(issued.status, issued.stderr).to.equal(0);
    const { keyId } = JSON.parse(issued.stdout);
    expect((await json("keys", "history", keyId))[0]).to.include({ by: "alice" });
    const refused = await run(["operators", "add", "bob", "--role", "admin"], asAlice);
    expect([refused.status, refused.stdout]).to.deep.equal([1, ""]);
    expect(refused.stderr)
      .to.match(/^operators: .*admin/)
      .and.not.include(added.token);
    const viewer = { ADMIN_TOKEN: (await json("operators", "add", "viola", "--role", "viewer")).token };
    expect((await run(["keys", "list"], viewer)).status).to.equal(0);
    expect((await run(["keys", "revoke", keyId], viewer)).status).to.equal(1);
    expect(await json("operators", "set-role", "viola", "operator")).to.include({ role: "operator" });
    expect((await run(["keys", "disable", keyId], viewer)).status).to.equal(0);
    const replaced = await json("operators", "replace-token", "alice");
    expect(replaced).to.have.keys("name", "role", "token");
    expect((await run(["keys", "list"], asAlice)).status).to.equal(1);
    expect((await run(["keys", "list"], { ADMIN_TOKEN: replaced.token })).status).to.equal(0);
    await json("operators", "remove", "alice");
    expect((await run(["keys", "list"], { ADMIN_TOKEN: replaced.token })).status).to.equal(1);
    const { stdout } = await run(["operators", "list"]);
    expect(stdout)
      .to.match(/^viola +operator +\d{4}-\d\d-\d\d +never/m)
      .and.not.include("geo_op_");
    expect((await run(["operators", "add", "admin", "--role", "viewer"])).status).to.equal(1);
  });

  it("shows who changed what", async () => {
    const { keyId } = await service.issueKey({ label: "audited" });
    await json("keys", "revoke", keyId, "--reason", "leaked");
    // The trail follows the key log.
    const isAudited = async () => (await json("audit", "--subject", keyId)).length === 2;
    await waitFor("both entries", isAudited, SHOWN_MS);
    const entries = await json("audit", "--subject", keyId);
    expect(entries.map(({ action, by, subject }: Record<string, string>) => [action, by, subject])).to.deep.equal([
      ["KeyRevoked", "admin", keyId],
      ["KeyIssued", "admin", keyId],
    ]);
    expect(entries[0].after).to.include({ status: "revoked", revokedReason: "leaked" });
    const { stdout } = await run(["audit", "--subject", keyId, "--ndjson"]);
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).to.deep.equal(entries);
    expect((await run(["audit", "--subject", keyId])).stdout).to.match(/ admin +KeyRevoked +key_/);
    const actions = async (...filter: string[]) =>
      (await json("audit", ...filter)).map(({ action }: { action: string }) => action);
    expect(await actions("--subject", keyId, "--action", "KeyIssued")).to.deep.equal(["KeyIssued"]);
    expect(await actions("--subject", keyId, "--by", "nobody")).to.deep.equal([]);
    expect(await actions("--subject", keyId, "--since", "1h")).to.have.length(2);
    expect(await actions("--subject", keyId, "--until", "1h")).to.deep.equal([]);
    expect((await run(["audit", "--until", "2020-01-01"])).stdout).to.equal("No entry matches.\n");
  });

  it("records that every process runs this version", async () => {
    const [opsUrl = ""] = service.opsUrls;
    const OPS_TARGETS = `standalone=${new URL(opsUrl).host}`;
    const finished = await run(["upgrade", "--finish", "--json"], { OPS_TARGETS });
    expect(finished.status, finished.stderr).to.equal(0);
    expect(JSON.parse(finished.stdout)).to.include({ version: "0.3.0", processes: 1 });
    const again = await run(["upgrade", "--finish", "--json"], { OPS_TARGETS });
    expect(again.stdout).to.equal(finished.stdout);
  });
});
