import { readFileSync } from "node:fs";
import { ROLES, type Role } from "@geolookup/shared/domain/operators.ts";
import { callUnary, type Method, openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import { AUDIT, IDEMPOTENCY, KEY_ADMIN, OPERATORS } from "@geolookup/shared/runtime/grpc/services.ts";
import { expect } from "chai";
import { sharedAuth, TOKEN } from "../testing/auth-process.ts";

/** Each method's role, from docs/security.md. */
const documented = new Map<string, Role>();
for (const [, role = "", methods = ""] of readFileSync("docs/security.md", "utf8").matchAll(
  /^\| (viewer|operator|admin) \| (`\w+`(?:, `\w+`)*) \|$/gm,
))
  for (const method of methods.split(", ")) documented.set(method.replaceAll("`", ""), role as Role);

describe("roles of operators", () => {
  let target: string;
  before(async () => {
    target = (await sharedAuth().ready()).target;
  });

  /** The outcome of a call without a valid request: a refused one isn't read. */
  const codeOf = async (
    method: Method<object, unknown>,
    operator?: { name: string; role: Role | null },
    token = TOKEN,
  ) => {
    using client = openClient(target, undefined, { "grpc.use_local_subchannel_pool": 1 });
    const called = callUnary(client, method, {}, { deadlineMs: 15_000, token, operator });
    return await called.then(
      () => ({ code: "ok", message: "" }),
      (error: { code: string; message: string }) => error,
    );
  };

  for (const [name, method] of Object.entries({ ...KEY_ADMIN, ...OPERATORS, ...AUDIT }))
    for (const role of ROLES) {
      const mayCall = ROLES.indexOf(role) >= ROLES.indexOf(documented.get(name) ?? ("no role is documented" as Role));
      it(`${mayCall ? "let" : "don't let"} ${role} call ${name}`, async () => {
        expect(documented.has(name), "a documented role").to.equal(true);
        // Nobody else may record that somebody signed in.
        const operator = name === "RecordEntry" && role === "admin" ? undefined : { name: "alice", role };
        const { code, message } = await codeOf(method as unknown as Method<object, unknown>, operator);
        if (mayCall) return expect(code).to.not.be.oneOf(["forbidden", "unauthenticated"]);
        expect(code).to.equal("forbidden");
        expect(message).to.equal(
          `this needs the role ${documented.get(name)}; alice is ${role === "viewer" ? "a viewer" : "an operator"}`,
        );
      });
    }

  it("are only those of methods that exist", () => {
    expect([...documented.keys()]).to.have.members(Object.keys({ ...KEY_ADMIN, ...OPERATORS, ...AUDIT }));
  });

  const whoAmI = OPERATORS.WhoAmI as unknown as Method<object, unknown>;
  for (const [what, operator, code] of [
    ["an unknown role", { name: "alice", role: "owner" as Role }, "invalid"],
    ["the name admin", { name: "admin", role: "admin" }, "invalid"],
    ["a name with a space", { name: "a b", role: "admin" }, "invalid"],
    ["an empty name", { name: "", role: "admin" }, "invalid"],
    ["someone without a role who isn't an operator", { name: "alice", role: null }, "unauthenticated"],
  ] as const)
    it(`aren't given to ${what}`, async () => {
      expect(await codeOf(whoAmI, operator)).to.include({ code });
    });

  it("aren't ignored by a service that knows only the admin token: it refuses the call", async () => {
    const method = IDEMPOTENCY.GetRecord as unknown as Method<object, unknown>;
    expect(await codeOf(method, { name: "alice", role: "viewer" })).to.include({ code: "unauthenticated" });
    expect(await codeOf(method)).to.include({ code: "invalid" });
  });

  it("aren't taken from the metadata of a call without the admin token", async () => {
    expect(await codeOf(whoAmI, { name: "alice", role: "admin" }, `${TOKEN}x`)).to.include({ code: "unauthenticated" });
  });
});
