import grpc from "@grpc/grpc-js";
import { expect } from "chai";
import { ServiceError } from "../../domain/service-error.ts";
import { adminOnly } from "./calls.ts";

const TOKEN = "a-token-of-some-length";

describe("adminOnly", () => {
  const cases: { sent: string | undefined; passes: boolean }[] = [
    { sent: `Bearer ${TOKEN}`, passes: true },
    { sent: `bearer ${TOKEN}`, passes: true },
    { sent: undefined, passes: false },
    { sent: "", passes: false },
    { sent: TOKEN, passes: false },
    { sent: "Bearer ", passes: false },
    { sent: `Basic ${TOKEN}`, passes: false },
    { sent: `Operator ${TOKEN}`, passes: false },
    { sent: `Bearer ${TOKEN}x`, passes: false },
    { sent: `Bearer ${TOKEN.slice(0, -1)}`, passes: false },
    { sent: `Bearer ${TOKEN.toUpperCase()}`, passes: false },
  ];
  for (const { sent, passes } of cases)
    it(`${passes ? "passes" : "refuses"} ${sent === undefined ? "no metadata" : JSON.stringify(sent)}`, () => {
      const metadata = new grpc.Metadata();
      if (sent !== undefined) metadata.set("authorization", sent);
      const call = () => adminOnly(TOKEN)(metadata, "GetMonth");
      if (passes) return call();
      const error = caught(call);
      expect(error).to.be.instanceOf(ServiceError);
      expect((error as ServiceError).code).to.equal("unauthenticated");
      if (sent) expect((error as ServiceError).message).not.to.contain(TOKEN.slice(0, -1));
    });
});

function caught(call: () => void): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}
