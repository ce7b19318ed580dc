import { readFileSync } from "node:fs";
import { expect } from "chai";
import { AUDIT, AUTH, GEO, IDEMPOTENCY, KEY_ADMIN, OPERATORS, TOTALS, USAGE } from "../grpc/services.ts";
import { mayCall } from "./allowed-callers.ts";
import { IDENTITIES } from "./identities.ts";

describe("the table of allowed callers", () => {
  const documented = [
    ...readFileSync("docs/security.md", "utf8").matchAll(/^\| `([\w.-]+)`(?: \(HTTP\))? \| ([a-z, -]+) \|/gm),
  ];

  it("has every service of proto/, and health", () => {
    const services = [AUTH, KEY_ADMIN, OPERATORS, AUDIT, IDEMPOTENCY, GEO, TOTALS, USAGE].map((definition) => {
      const [method] = Object.values(definition);
      return method?.path.split("/")[1];
    });
    const names = documented.map(([, service]) => service);
    expect(names).to.have.members([...services, "grpc.health.v1.Health", "portal", "geo-data"]);
  });

  for (const [, service = "", callers = ""] of documented)
    it(`is that of docs/security.md for ${service}`, () => {
      const allowed = IDENTITIES.filter((identity) => mayCall([identity], service));
      expect(allowed).to.have.members(callers.trim().split(", "));
      expect(mayCall([], service)).to.equal(false);
    });

  it("permits nothing that isn't listed", () => {
    expect(mayCall(IDENTITIES, "geolookup.auth.v1.Other")).to.equal(false);
    expect(mayCall(IDENTITIES, "")).to.equal(false);
  });
});
