import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { type AdminApi, adminApiAt, adminApiOf } from "../harness/admin-api.ts";
import { runHere } from "../harness/command.ts";
import type { ConsoleClient } from "../harness/console/console-client.ts";
import { consoleBrowser } from "../harness/console/console-suite.ts";
import type { Deployment } from "../harness/deployment.ts";
import { startStandalone } from "../harness/standalone.ts";
import { tempFolder } from "../harness/temp-folder.ts";

const ROLES = ["viewer", "operator", "admin"];
const KEY = "/keys/key_000000000000";

/** Every operation with the role that it needs. What they name doesn't exist, so nothing changes. */
const OPERATIONS = [
  ["GET", "/keys", "viewer"],
  ["POST", "/keys", "operator", { kind: "secret", plan: "none" }],
  ["POST", "/keys/find", "viewer", { texts: ["x"] }],
  ["GET", KEY, "viewer"],
  ["PATCH", KEY, "operator", { label: "x" }],
  ["POST", `${KEY}/rotate`, "operator", {}],
  ["POST", `${KEY}/revoke`, "operator", {}],
  ["POST", `${KEY}/disable`, "operator", {}],
  ["POST", `${KEY}/enable`, "operator"],
  ["GET", `${KEY}/usage`, "viewer"],
  ["GET", `${KEY}/history`, "viewer"],
  ["GET", "/customers", "viewer"],
  ["POST", "/customers", "operator", { id: "a b", plan: "none" }],
  ["GET", "/customers/none", "viewer"],
  ["PATCH", "/customers/none", "operator", { name: "x" }],
  ["POST", "/customers/none/disable", "operator", {}],
  ["POST", "/customers/none/enable", "operator"],
  ["GET", "/customers/none/usage", "viewer"],
  ["GET", "/plans", "viewer"],
  ["POST", "/plans/check", "viewer", { plans: {} }],
  ["POST", "/plans/confirm", "admin", { hash: "none" }],
  ["GET", "/audit", "operator"],
  ["GET", "/operators", "admin"],
  ["POST", "/operators", "admin", { name: "a b", role: "viewer" }],
  ["PATCH", "/operators/none", "admin", { role: "viewer" }],
  ["DELETE", "/operators/none", "admin"],
  ["POST", "/operators/none/token", "admin", {}],
  ["GET", "/data", "viewer"],
] as const;

/** Every command that talks to auth, with the role that it needs. FILE.… are files to read. */
const COMMANDS = [
  ["keys list", "viewer"],
  ["keys show none", "viewer"],
  ["keys history none", "viewer"],
  ["keys plans", "viewer"],
  ["keys plans check FILE.json", "viewer"],
  ["keys plans confirm none", "admin"],
  ["keys issue --kind secret --plan none", "operator"],
  ["keys issue --kind secret --plan none --count 2 --csv FILE.out", "operator"],
  ["keys import FILE.csv", "operator"],
  ["keys rotate none --overlap 1h", "operator"],
  ["keys revoke KEY", "operator"],
  ["keys disable none", "operator"],
  ["keys enable none", "operator"],
  ["keys expire none never", "operator"],
  ["keys set-label none x", "operator"],
  ["keys set-plan none free", "operator"],
  ["keys set-origins none https://a.example", "operator"],
  ["keys set-metadata none a=b", "operator"],
  ["keys set-customer none acme", "operator"],
  ["customers list", "viewer"],
  ["customers show none", "viewer"],
  ["customers keys none", "viewer"],
  ["customers add acme --plan none", "operator"],
  ["customers rename none x", "operator"],
  ["customers set-plan none free", "operator"],
  ["customers set-quota none 5", "operator"],
  ["customers disable none", "operator"],
  ["customers enable none", "operator"],
  ["apply FILE.yaml", "operator"],
  ["audit", "operator"],
  ["operators list", "admin"],
  ["operators add bob --role viewer", "admin"],
  ["operators set-role none viewer", "admin"],
  ["operators replace-token none", "admin"],
  ["operators remove none", "admin"],
] as const;
const FILES = {
  "FILE.json": "{}",
  "FILE.csv": "kind,plan\nsecret,none\n",
  "FILE.yaml": "keys: { a: { kind: secret, plan: none } }\n",
};

const AT_KEY = "/keys/:keyId";
/** Every page and form of the console with the role that it needs. */
const PAGES = [
  ["get", "/", "viewer"],
  ["get", "/keys", "viewer"],
  ["post", "/keys/search", "viewer", { search: "x" }],
  ["get", "/keys/new", "operator"],
  ["post", "/keys/new", "operator", { once: "A".repeat(22), kind: "secret", plan: "none", label: "", origins: "" }],
  ["get", AT_KEY, "viewer"],
  ["get", `${AT_KEY}/usage.csv`, "viewer"],
  ["get", `${AT_KEY}/revoke`, "operator"],
  ["post", `${AT_KEY}/rotate`, "operator", { overlap: "0" }],
  ["post", `${AT_KEY}/disable`, "operator", { reason: "" }],
  ["post", `${AT_KEY}/enable`, "operator"],
  ["post", `${AT_KEY}/settings`, "operator", { label: "x", version: "1" }],
  ["post", "/selected-keys/plan", "operator", { key: "KEY:1", plan: "tiny", list: "" }],
  ["post", "/selected-keys/undo", "operator", { key: "KEY:1:tiny", list: "" }],
  // It only asks for confirmation.
  ["post", "/selected-keys/revoke", "viewer", { key: "KEY:1", list: "" }],
  ["get", "/customers", "viewer"],
  ["get", "/customers/new", "operator"],
  ["post", "/customers/new", "operator", { id: "a b", name: "", plan: "none", monthlyRequests: "" }],
  ["get", "/customers/:id", "viewer"],
  ["post", "/customers/:id/settings", "operator", { name: "x", plan: "free", monthlyRequests: "", version: "1" }],
  ["post", "/customers/:id/disable", "operator", { reason: "" }],
  ["post", "/customers/:id/enable", "operator"],
  ["get", "/plans", "viewer"],
  ["post", "/plans/confirm", "admin", { hash: "none" }],
  ["get", "/audit", "operator"],
  ["get", "/audit.ndjson", "operator"],
  ["get", "/operators", "admin"],
  ["post", "/operators", "admin", { name: "a b", role: "viewer", expires: "" }],
  ["get", "/operators/:name", "admin"],
  ["post", "/operators/:name/role", "admin", { role: "viewer" }],
  ["post", "/operators/:name/token", "admin", { expires: "" }],
  ["post", "/operators/:name/remove", "admin"],
  ["get", "/address", "viewer"],
  ["post", "/address", "viewer", { address: "192.0.2.1" }],
  ["get", "/cluster", "viewer"],
  ["get", "/data", "viewer"],
  ["post", "/data/update", "admin"],
  ["post", "/data/use", "admin", { version: "none" }],
  ["post", "/selected-keys/revoke-confirmed", "operator", { key: "KEY:1", list: "", reason: "" }],
  ["post", `${AT_KEY}/revoke`, "operator", { reason: "" }],
] as const;
/** Pages that need no session, or that others need. */
const OTHER_PAGES = /^get \/(?:sign-in|guides|.*events$)|^post \/sign-/;

describe("roles at every door", () => {
  let deployment: Deployment;
  let admin: AdminApi;
  const tokens = new Map<string, string>();
  before(async () => {
    deployment = await startStandalone({ ADMIN_API_PORT: "0" });
    admin = adminApiOf(deployment);
    for (const role of ROLES) {
      const { json } = await admin.send("POST", "/operators", { name: `an-${role}`, role });
      tokens.set(role, json.token);
    }
  });
  after(() => deployment.stop());

  /** Registers a test for each role. */
  const forEachRole = (what: string, required: string, test: (role: string, mayDo: boolean) => Promise<unknown>) => {
    for (const role of ROLES) {
      const mayDo = ROLES.indexOf(role) >= ROLES.indexOf(required);
      it(`${mayDo ? "let" : "don't let"} ${role} ${what}`, () => test(role, mayDo));
    }
  };

  describe("the admin API", () => {
    it("is tested for every operation", async () => {
      const { paths } = (await admin.send("GET", "/openapi.json")).json;
      const described = Object.entries<object>(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
      );
      const tested = OPERATIONS.map(([method, path]) => {
        const template = path.replace(KEY, "/keys/{keyId}").replace("customers/none", "customers/{id}");
        return `${method} /admin/v1${template.replace("operators/none", "operators/{name}")}`;
      });
      expect(tested).to.have.members(described);
    });

    for (const [method, path, required, body] of OPERATIONS)
      forEachRole(`send ${method} ${path}`, required, async (role, mayDo) => {
        const { status, json } = await adminApiAt(admin.url, tokens.get(role) ?? "").send(method, path, body);
        if (mayDo) return expect(status).to.not.be.oneOf([401, 403, 429, 500]);
        expect([status, json.error.code]).to.deep.equal([403, "forbidden"]);
        expect(json.error.message).to.include(`needs the role ${required}`);
      });
  });

  describe("the program", () => {
    const folder = tempFolder();
    let keyId: string;
    before(async () => {
      for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
      ({ keyId } = await deployment.issueKey());
    });
    for (const [line, required] of COMMANDS)
      forEachRole(`run ${line}`, required, async (role, mayDo) => {
        const args = line
          .split(" ")
          .map((each) => (each.startsWith("FILE.") ? join(folder, each) : each.replace("KEY", keyId)));
        const environment = { DATA_DIR: deployment.dataDir, ADMIN_TOKEN: tokens.get(role) ?? "" };
        const { status, stderr } = await runHere(args, environment);
        if (mayDo) return expect(stderr).to.not.match(/needs the role|token|isn't running|For help/);
        expect(status).to.equal(1);
        expect(stderr).to.match(new RegExp(`^\\w+: this needs the role ${required}; an-${role} is an? ${role}\n$`));
      });
  });

  describe("the console", () => {
    const clients = new Map<string, ConsoleClient>();
    let keyId: string;
    before(async () => {
      ({ keyId } = await deployment.issueKey({ plan: "paid" }));
      await deployment.customers("add", "acme", "--plan", "paid");
      for (const [role, token] of tokens) {
        const client = consoleBrowser({ ...deployment, adminToken: token });
        await client.signIn();
        clients.set(role, client);
      }
    });

    it("is tested for every page and form", () => {
      const routes = globSync("services/portal/src/console/*.ts").flatMap((file) =>
        Array.from(readFileSync(file, "utf8").matchAll(/router\.(get|post)\(\s*\[?"(\/[^"]*)"/g), (match) =>
          match.slice(1).join(" "),
        ),
      );
      const tested = PAGES.map(([method, path]) => `${method} ${path}`);
      expect(tested).to.include.members(routes.filter((route) => !OTHER_PAGES.test(route)));
    });

    for (const [method, template, required, fields = {}] of PAGES)
      forEachRole(`${method} ${template}`, required, async (role, mayDo) => {
        const client = clients.get(role) as ConsoleClient;
        const path = `/console${template.replace(":keyId", keyId).replace(":id", "acme").replace(":name", "none")}`;
        const sent = JSON.parse(JSON.stringify(fields).replaceAll("KEY", keyId));
        const { status, text } = await (method === "get" ? client.get(path) : client.submit(path, sent));
        if (mayDo) return expect(status, text).to.not.be.oneOf([401, 403, 500]);
        expect(text).to.include(`needs the role ${required}`);
        expect(status).to.be.oneOf([400, 403, 409]);
      });

    it("doesn't change a key for a viewer", async () => {
      const { keyId } = await deployment.issueKey({ plan: "paid" });
      const viewer = clients.get("viewer") as ConsoleClient;
      for (const [method, template, required, fields = {}] of PAGES)
        if (method === "post" && required !== "viewer") {
          const text = JSON.stringify(fields).replaceAll("KEY", keyId);
          await viewer.submit(`/console${template.replace(":keyId", keyId)}`, JSON.parse(text));
        }
      expect(await deployment.keys("show", keyId)).to.include({ status: "active", plan: "paid", version: 1 });
      expect(await deployment.keys("history", keyId)).to.have.length(1);
    });
  });
});
