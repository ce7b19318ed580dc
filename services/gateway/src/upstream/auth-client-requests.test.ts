import { setTimeout as delay } from "node:timers/promises";
import type { KeyCheck } from "@geolookup/shared/domain/authorize.ts";
import type { Authorization } from "@geolookup/shared/generated/geolookup/auth/v1/Authorization.ts";
import type { AuthorizeRequest__Output } from "@geolookup/shared/generated/geolookup/auth/v1/AuthorizeRequest.ts";
import type { AuthorizeResponse } from "@geolookup/shared/generated/geolookup/auth/v1/AuthorizeResponse.ts";
import type { Check__Output as WireCheck } from "@geolookup/shared/generated/geolookup/auth/v1/Check.ts";
import { MAX_BATCH } from "@geolookup/shared/runtime/grpc/limits.ts";
import { serve } from "@geolookup/shared/runtime/grpc/served-service.ts";
import { startGrpcServer } from "@geolookup/shared/runtime/grpc/server.ts";
import { AUTH } from "@geolookup/shared/runtime/grpc/services.ts";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { BATCH_INTERVAL_MS, connectAuth } from "./auth-client.ts";

const DEADLINE_MS = 10_000;
const log = pino({ level: "silent" });

describe("requests of connectAuth", () => {
  let calls: WireCheck[][];
  let opened: AsyncDisposableStack;
  let auth: ReturnType<typeof connectAuth>;

  beforeEach(async () => {
    calls = [];
    const authorize = ({ checks }: AuthorizeRequest__Output): AuthorizeResponse => {
      calls.push(checks);
      const grant = { keyId: "key", plan: "free" };
      const authorizations = checks.map(
        ({ origin }): Authorization =>
          origin === undefined
            ? { outcome: "BAD_SIGNATURE" }
            : { outcome: "ORIGIN_NOT_ALLOWED", grant, refusedOrigin: origin },
      );
      return { authorizations };
    };
    opened = new AsyncDisposableStack();
    const services = [serve(AUTH, { Authorize: authorize }, { maxRequestBytes: 2 ** 20 })];
    const server = opened.use(await startGrpcServer({ host: "127.0.0.1", port: 0, log, services }));
    server.setServing(true);
    auth = opened.use(connectAuth(`127.0.0.1:${server.port}`, log, new Registry()));
    await waitFor("auth to respond", async () => (await auth.authorizeWithPosition(check({}))) !== null, DEADLINE_MS);
    calls = [];
  });
  afterEach(() => opened.disposeAsync());

  const check = (headers: Partial<KeyCheck>): KeyCheck => ({
    key: "geo_pk_1",
    origin: null,
    referer: null,
    ...headers,
  });

  it("send only the origin of a long referer", async () => {
    await auth.authorizeWithPosition(check({ referer: `https://Shop.example:8443/${"a".repeat(15_000)}` }));
    await auth.authorizeWithPosition(check({ referer: `about:${"a".repeat(15_000)}` }));
    await auth.authorizeWithPosition(check({ referer: "https://shop.example/page" }));
    expect(calls.flat().map(({ referer }) => referer)).to.deep.equal([
      "https://shop.example:8443",
      undefined,
      "https://shop.example/page",
    ]);
  });

  it("send enough of a long origin to have it refused, and return all of it to the caller", async () => {
    const origin = `https://${"a".repeat(15_000)}.example`;
    const { authorization } = await auth.authorizeWithPosition(check({ origin }));
    expect(calls.flat()[0]?.origin?.length).to.be.within(401, 500);
    expect(authorization).to.include({ outcome: "origin_not_allowed", refusedOrigin: origin });
  });

  it("fit into one message, whatever the headers", async () => {
    const long = check({ origin: "ä".repeat(7_000), referer: `https://shop.example/${"ä".repeat(7_000)}` });
    const authorizations = await Promise.all(Array.from({ length: 512 }, () => auth.authorizeWithPosition(long)));
    expect(authorizations).to.have.length(512);
  });

  it("batch checks that arrive within a few milliseconds, and never exceed auth's limit", async () => {
    const authorized: Promise<unknown>[] = [];
    const startMs = performance.now();
    for (let turn = 0; turn < 100; turn += 1) {
      for (let count = 0; count < 20; count += 1)
        authorized.push(auth.authorizeWithPosition(check({ key: `geo_pk_${turn}_${count}` })));
      await delay(1);
    }
    await Promise.all(authorized);
    expect(calls.flat()).to.have.length(2_000);
    expect(Math.max(...calls.map((checks) => checks.length))).to.be.at.most(MAX_BATCH);
    // A timer may be a millisecond early. Without batches, it would be a call per round, of a little more than a millisecond.
    expect(calls.length).to.be.at.most((performance.now() - startMs) / (BATCH_INTERVAL_MS - 1) + 2);
  });
});
