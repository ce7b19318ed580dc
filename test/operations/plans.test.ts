import { expect } from "chai";
import { PLANS, writePlans } from "../fixtures/plans.ts";
import { startOneProcessCluster } from "../harness/cluster.ts";
import { consoleBrowser } from "../harness/console/console-suite.ts";
import type { Deployment } from "../harness/deployment.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";

const START_TIMEOUT_MS = 120_000;
const USED = 9;
const APPLIED_MS = 10_000;
/** The portal fetches the plans every 10 s. */
const SHOWN_MS = 20_000;

const folder = tempFolder();
const PLANS_FILE = writePlans(folder);

// In a cluster, whose auth nodes share the plans.
describe("a typo in the plans file", () => {
  let cluster: Deployment;
  const deployment = () => cluster;
  after(() => cluster?.stop());
  const held = async () => (await deployment().keys("plans")).held;
  let hash: string;
  let send: () => Promise<number>;
  let keyId: string;
  before(async function () {
    this.timeout(START_TIMEOUT_MS);
    cluster = await startOneProcessCluster({ PLANS_FILE });
    let key: string;
    ({ key, keyId } = await deployment().issueKey({ plan: "free" }));
    send = async () => (await deployment().send({ path: `/v1/geo?key=${key}` })).status;
    for (let count = 0; count < USED; count += 1) expect(await send()).to.equal(200);
    // Usage has the counts within seconds.
    const typo = { ...PLANS.free, monthlyRequests: 5 };
    const checked = writePlans(tempFolder(), { free: typo });
    const isKnown = async () => (await deployment().keys("plans", "check", checked)).holds.length > 0;
    await waitFor("a check to name the key", isKnown, APPLIED_MS);
    const check = await deployment().keys("plans", "check", checked);
    expect(check.differences).to.deep.equal([
      { plan: "free", field: "monthlyRequests", old: 10_000, new: 5, keys: check.differences[0].keys },
    ]);
    ({ hash } = check);
    writePlans(folder, { free: typo });
    // Each of the two auth nodes reads the file by itself, and calls go to any.
    const isHeld = () => deployment().output().split("plans file held").length > 2;
    await waitFor("the file to be held", isHeld, APPLIED_MS);
  });

  it("is held: the key keeps working, and the command and the console say so", async () => {
    expect(await send()).to.equal(200);
    const plans = await deployment().keys("plans");
    expect(plans).to.deep.include({ version: 1, by: "plans file" });
    expect(plans.plans.free).to.deep.equal(PLANS.free);
    expect(plans.held).to.deep.include({
      ...{ hash, holds: ["1 key of the plan free would be over the new quota of 5 requests at once"] },
    });
    const operator = consoleBrowser(deployment());
    await operator.signIn();
    const isShown = async () => (await operator.get("/console")).text.includes("The plans file is held");
    await waitFor("the banner", isShown, APPLIED_MS);
    const { text } = await operator.get("/console/plans");
    expect(text).to.include("free: monthlyRequests 10000 → 5").and.include(`Use the plans file ${hash}`);
    const stale = await operator.submit("/console/plans/confirm", { hash: "0123456789abcdef" });
    expect(stale.status).to.equal(409);
    expect(await send()).to.equal(200);
  });

  it("is shown nowhere as in force", async () => {
    const { text } = await deployment().send({ host: deployment().docsHost, path: "/reference" });
    expect(text).to.include('<th scope="row"><code>free</code></th><td>free</td><td class="number">10,000</td>');
    const operator = consoleBrowser(deployment());
    await operator.signIn();
    expect((await operator.get(`/console/keys/${keyId}`)).text).to.include("of 10,000");
  });

  it("takes effect when the console confirms it, and the history says who changed what", async () => {
    const operator = consoleBrowser(deployment());
    await operator.signIn();
    expect((await operator.submit("/console/plans/confirm", { hash })).status).to.equal(303);
    await waitFor("the quota to apply", async () => (await send()) === 429, APPLIED_MS);
    const history = await deployment().keys("history", "plans");
    expect(history.map(({ version, by }: { version: number; by: string }) => [version, by])).to.deep.equal([
      [1, "plans file"],
      [2, "admin"],
    ]);
    expect(await held()).to.equal(null);
    const isShown = async () => (await operator.get(`/console/keys/${keyId}`)).text.includes("of 5<");
    await waitFor("the quota to be shown", isShown, SHOWN_MS);
    const { text } = await operator.get("/console/plans");
    expect(text)
      .to.include("<p>free: monthlyRequests 10000 → 5</p>")
      .and.include("by admin")
      .and.not.include("is held");
  });

  it("a higher quota takes effect by itself", async () => {
    writePlans(folder);
    await waitFor("the quota to apply", async () => (await send()) === 200, APPLIED_MS);
  });
});
