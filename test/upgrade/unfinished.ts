import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { writePlans } from "../fixtures/plans.ts";
import { type AdminApi, adminApiAt } from "../harness/admin-api.ts";
import { runHere } from "../harness/command.ts";
import type { ConsoleClient } from "../harness/console/console-client.ts";
import { consoleBrowser } from "../harness/console/console-suite.ts";
import type { Deployment } from "../harness/deployment.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";

/** Settings that open every door to the keys of a deployment. */
export const EVERY_DOOR = { ADMIN_API_ON_DOCS_HOST: "on", SELF_SERVICE: "rotate" };
const REFUSAL =
  /^this needs version 0\.3 in every process\. When all of them run it, run `\.\/geolookup upgrade --finish` once\.?$/i;
const HELD_MS = 10_000;

/** What a gateway of the version before would misunderstand, through each door. */
const CHANGES: Readonly<
  Record<
    string,
    {
      command: string[];
      /** The name and the text of the file that `command` reads. */
      file?: [name: string, text: string];
      console?: (client: ConsoleClient, keyId: string) => ReturnType<ConsoleClient["submit"]>;
      api?: [method: string, path: string, body: object];
    }
  >
> = {
  "rotating a key": {
    command: ["keys", "rotate", "KEY", "--overlap", "1h"],
    console: (client, keyId) => client.submit(`/console/keys/${keyId}/rotate`, { overlap: "0" }),
    api: ["POST", "/keys/KEY/rotate", { overlap: "1h" }],
  },
  "an expiry": {
    command: ["keys", "expire", "KEY", "2099-01-01"],
    console: (client, keyId) => client.saveSettings(keyId, { expires: "2099-01-01" }),
    api: ["PATCH", "/keys/KEY", { expiresAt: "2099-01-01" }],
  },
  metadata: {
    command: ["keys", "set-metadata", "KEY", "team=web"],
    console: (client, keyId) => client.saveSettings(keyId, { metadata: "team=web" }),
    api: ["PATCH", "/keys/KEY", { metadata: { team: "web" } }],
  },
  "disabling a key": {
    command: ["keys", "disable", "KEY"],
    console: (client, keyId) => client.submit(`/console/keys/${keyId}/disable`, { reason: "" }),
    api: ["POST", "/keys/KEY/disable", {}],
  },
  "issuing a key that expires": {
    command: ["keys", "issue", "--kind", "secret", "--plan", "paid", "--expires", "30d"],
    console: (client) => issue(client, { expires: "2099-01-01" }),
    api: ["POST", "/keys", { kind: "secret", plan: "paid", expiresAt: "2099-01-01" }],
  },
  "issuing a key with metadata": {
    command: ["keys", "issue", "--kind", "secret", "--plan", "paid", "--metadata", "team=web"],
    api: ["POST", "/keys", { kind: "secret", plan: "paid", metadata: { team: "web" } }],
  },
  "issuing many keys that expire": {
    command: [
      "keys",
      "issue",
      "--kind",
      "secret",
      "--plan",
      "paid",
      "--expires",
      "30d",
      "--count",
      "2",
      "--csv",
      "FILE",
    ],
    file: ["new.csv", ""],
  },
  "adding a customer": {
    command: ["customers", "add", "acme", "--plan", "paid"],
    console: (client) =>
      client.submit("/console/customers/new", { id: "acme", name: "", plan: "paid", monthlyRequests: "" }),
    api: ["POST", "/customers", { id: "acme", plan: "paid" }],
  },
  "importing keys that expire": {
    command: ["keys", "import", "FILE"],
    file: ["in.csv", "kind,plan,label,expires\nsecret,paid,plain,\nsecret,paid,ends,2099-01-01\n"],
  },
  "importing keys with metadata": {
    command: ["keys", "import", "FILE"],
    file: ["in.csv", "kind,plan,label,metadata.team\nsecret,paid,plain,\nsecret,paid,one,web\n"],
  },
  "applying keys": {
    command: ["apply", "FILE"],
    file: ["keys.yaml", "keys:\n  shop: { kind: secret, plan: paid }\n"],
  },
  "applying customers": {
    command: ["apply", "FILE"],
    file: ["keys.yaml", "customers:\n  acme: { plan: paid }\n"],
  },
};

async function issue(client: ConsoleClient, fields: Record<string, string>) {
  const [, once = ""] = /name="once" value="([\w-]+)"/.exec((await client.get("/console/keys/new")).text) ?? [];
  return client.submit("/console/keys/new", { once, kind: "secret", plan: "paid", label: "", origins: "", ...fields });
}

/**
 * Registers tests of the new commands on a cluster whose upgrade isn't finished.
 * @param environment with which commands reach it.
 * @param plansFile which it serves, with plans that the version before knows.
 */
export function testBeforeFinish(
  deployment: () => Deployment,
  { environment, plansFile }: { environment: () => Record<string, string>; plansFile: string },
): void {
  let client: ConsoleClient;
  let api: AdminApi;
  let keyId: string;
  let key: string;
  let state: () => Promise<unknown>;
  before(async () => {
    const { portalUrl, adminToken } = deployment();
    client = consoleBrowser(deployment());
    await client.signIn();
    api = adminApiAt(`${portalUrl}/admin/v1`, adminToken);
    ({ keyId, key } = await deployment().issueKey());
    state = async () => [await deployment().keys("list"), await deployment().customers("list")];
  });
  const expectRefusal = (status: number, expected: number, text: string) => {
    expect(text).to.match(REFUSAL);
    expect(status).to.equal(expected);
  };
  /** The text of a notice, or of a form's problem. */
  const shownProblem = (page: string) => {
    const [, text = page] = /(?:role="alert"[^>]*>|<h1>Request failed<\/h1>\n<p>)([^<]*)/.exec(page) ?? [];
    return text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  };

  for (const [what, { command, file, console, api: call }] of Object.entries(CHANGES)) {
    it(`refuses ${what} through the program, and changes nothing`, async () => {
      const before = await state();
      const path = join(tempFolder(), file?.[0] ?? "unused");
      if (file?.[1]) writeFileSync(path, file[1]);
      const args = command.map((each) => (each === "KEY" ? keyId : each === "FILE" ? path : each));
      const { status, stderr } = await runHere(args, environment());
      const [, problem = stderr] = /^\w+: (.*)\n$/.exec(stderr) ?? [];
      expectRefusal(status ?? 0, 1, problem);
      expect(await state()).to.deep.equal(before);
    });
    if (console)
      it(`refuses ${what} through the console`, async () => {
        const { status, text } = await console(client, keyId);
        expectRefusal(status, status === 400 ? 400 : 409, shownProblem(text));
      });
    if (call)
      it(`refuses ${what} through the admin API`, async () => {
        const [method, path, body] = call;
        const { status, json } = await api.send(method, path.replace("KEY", keyId), body);
        expect(json.error.code).to.equal("not_possible");
        expectRefusal(status, 409, json.error.message);
      });
  }

  it("refuses rotating a key on the customers' page", async () => {
    const { status } = await deployment().send({
      method: "POST",
      path: "/account/rotate",
      host: deployment().docsHost,
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: `key=${key}&overlap=0`,
    });
    expect(status).to.equal(409);
  });

  it("holds a plan with a list of fields, and refuses to confirm it through each door", async () => {
    writePlans(dirname(plansFile));
    const plans = await waitFor(
      "the held plans",
      async () => {
        const found = await deployment().keys("plans");
        return found.held !== null && found;
      },
      HELD_MS,
    );
    expect(plans.held.holds[0]).to.match(REFUSAL);
    const { hash } = plans.held;
    const { status, stderr } = await runHere(["keys", "plans", "confirm", hash], environment());
    expectRefusal(status ?? 0, 1, stderr.replace(/^keys: (.*)\n$/, "$1"));
    const confirmed = await client.submit("/console/plans/confirm", { hash });
    expectRefusal(confirmed.status, 409, shownProblem(confirmed.text));
    const { status: apiStatus, json } = await api.send("POST", "/plans/confirm", { hash });
    expectRefusal(apiStatus, 409, json.error.message);
    expect((await deployment().keys("plans")).plans).to.not.have.property("listed");
  });

  it("allows them once the upgrade is finished", async () => {
    const OPS_TARGETS = deployment()
      .opsUrls.map((url) => `auth=${new URL(url).host}`)
      .join(",");
    const { status, stderr } = await runHere(["upgrade", "--finish"], { ...environment(), OPS_TARGETS });
    expect(status, stderr).to.equal(0);
    expect((await api.send("POST", `/keys/${keyId}/rotate`, { overlap: "1h" })).status).to.equal(201);
    const isInForce = async () => "listed" in (await deployment().keys("plans")).plans;
    await waitFor("the plans", isInForce, HELD_MS);
  });
}
