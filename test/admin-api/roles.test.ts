import { expect } from "chai";
import { type AdminApi, adminApiAt, adminApiOf } from "../harness/admin-api.ts";
import type { Deployment } from "../harness/deployment.ts";
import { startStandalone } from "../harness/standalone.ts";

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

describe("roles at the admin API", () => {
  let deployment: Deployment;
  let admin: AdminApi;
  const operators = new Map<string, AdminApi>();
  before(async () => {
    deployment = await startStandalone({ ADMIN_API_PORT: "0" });
    admin = adminApiOf(deployment);
    for (const role of ROLES) {
      const { json } = await admin.send("POST", "/operators", { name: `an-${role}`, role });
      operators.set(role, adminApiAt(admin.url, json.token));
    }
  });
  after(() => deployment.stop());

  it("are tested for every operation", async () => {
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
    for (const role of ROLES) {
      const mayCall = ROLES.indexOf(role) >= ROLES.indexOf(required);
      it(`${mayCall ? "let" : "don't let"} ${role} send ${method} ${path}`, async () => {
        const { status, json } = (await operators.get(role)?.send(method, path, body)) ?? {};
        if (mayCall) return expect(status).to.not.be.oneOf([401, 403, 429, 500]);
        expect([status, json.error.code]).to.deep.equal([403, "forbidden"]);
        expect(json.error.message).to.include(`needs the role ${required}`);
      });
    }
});
