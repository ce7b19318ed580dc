import type { IncomingMessage } from "node:http";
import { expect } from "chai";
import { pino } from "pino";
import { createOperatorHeaders } from "./operator-headers.ts";

describe("createOperatorHeaders", () => {
  const from = (remoteAddress: string, headers: Record<string, string> = { "x-email": "a@example.com" }) =>
    ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  const headersOf = createOperatorHeaders({ name: "x-email", from: "192.0.2.0/28, 2001:db8::1" }, log);
  beforeEach(() => lines.splice(0));

  for (const address of ["192.0.2.1", "::ffff:192.0.2.15", "2001:db8::1", "2001:DB8:0:0::1"])
    it(`passes the name and the secret of ${address} on`, () => {
      expect(headersOf(from(address))).to.deep.equal(["x-email", "x-operator-secret"]);
      expect(lines).to.deep.equal([]);
    });

  it("passes nothing of others on, whatever they forward, and logs it once, without the address", () => {
    for (const address of ["192.0.2.16", "2001:db8::2", "", "127.0.0.1"])
      expect(headersOf(from(address, { "x-email": "a@example.com", "x-forwarded-for": "192.0.2.1" }))).to.deep.equal(
        [],
      );
    expect(lines).to.have.length(1);
    expect(lines[0]).to.include("OPERATOR_HEADER_FROM").and.not.include("192.0.2.16");
  });

  it("passes nothing on without the setting", () => {
    expect(createOperatorHeaders(undefined, log)(from("192.0.2.1"))).to.deep.equal([]);
  });
});
