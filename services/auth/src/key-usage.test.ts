import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { ListUsedKeysRequest__Output as Request } from "@geolookup/shared/generated/geolookup/usage/v1/ListUsedKeysRequest.ts";
import { serve } from "@geolookup/shared/runtime/grpc/served-service.ts";
import { startGrpcServer } from "@geolookup/shared/runtime/grpc/server.ts";
import { TOTALS } from "@geolookup/shared/runtime/grpc/services.ts";
import { expect } from "chai";
import { pino } from "pino";
import { rejection } from "../../../test/harness/rejection.ts";
import { connectKeyUsage } from "./key-usage.ts";

describe("connectKeyUsage", () => {
  const opened = new AsyncDisposableStack();
  const requests: Request[] = [];
  let respond: () => unknown = () => ({});
  let port: number;
  before(async () => {
    const totals = serve(TOTALS, {
      ListUsedKeys: async (request) => {
        requests.push(request);
        await respond();
        return request.shard === 7 ? { keyIds: ["a", "b"], totals: [3, 5] } : {};
      },
    });
    const log = pino({ level: "silent" });
    ({ port } = opened.use(await startGrpcServer({ host: "127.0.0.1", port: 0, services: [totals], log })));
  });
  after(() => opened.disposeAsync());

  const used = async (target = `127.0.0.1:${port}`) => {
    using usage = connectKeyUsage(target, undefined);
    const found = new Map<string, number>();
    for await (const keys of usage.usedKeys("2026-05", 3)) for (const [keyId, total] of keys) found.set(keyId, total);
    return found;
  };

  it("asks for every shard once", async () => {
    expect(await used()).to.deep.equal(new Map(Object.entries({ a: 3, b: 5 })));
    expect(requests.map(({ shard = 0 }) => shard)).to.deep.equal(Array.from({ length: 64 }, (_, shard) => shard));
    for (const request of requests) expect(request).to.include({ month: "2026-05", atLeast: 3 });
  });

  it("throws when usage is silent or stopped", async () => {
    respond = () => new Promise(() => undefined);
    expect(await rejection(used())).to.include({ code: "unavailable" });
    respond = () => {
      throw new ServiceError("unavailable", "usage is still reading its log; try again");
    };
    expect(await rejection(used())).to.include({ code: "unavailable" });
    expect(await rejection(used("127.0.0.1:1"))).to.include({ code: "unavailable" });
  });
});
