import { setTimeout as delay } from "node:timers/promises";
import type { LocateRequest } from "@geolookup/shared/generated/geolookup/geo/v1/LocateRequest.ts";
import type { LocateResponse__Output } from "@geolookup/shared/generated/geolookup/geo/v1/LocateResponse.ts";
import { openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import { GEO } from "@geolookup/shared/runtime/grpc/services.ts";
import grpc from "@grpc/grpc-js";
import { expect } from "chai";
import { openRequestStream, type RequestStream } from "./request-stream.ts";
import { askForCity, startCityService } from "./testing/city-service.ts";

const TIMEOUT_MS = 10_000;

describe("openRequestStream", () => {
  let opened: AsyncDisposableStack;
  beforeEach(() => {
    opened = new AsyncDisposableStack();
  });
  afterEach(() => opened.disposeAsync());

  const serve = async (...options: Parameters<typeof startCityService>) => {
    const service = await startCityService(...options);
    opened.use(service.server);
    return service;
  };
  const open = (port: number, ageMs?: number) => {
    const client = opened.use(openClient(`127.0.0.1:${port}`));
    return opened.use(openRequestStream(() => client, GEO.LocateStream, ageMs));
  };
  const ask = (requests: RequestStream<LocateRequest, LocateResponse__Output>, city: string, timeoutMs = TIMEOUT_MS) =>
    askForCity((request, done) => requests.send(request, timeoutMs, done), city);

  it("responds in order, over one stream", async () => {
    const { server, streams } = await serve({ beforeResponse: (city) => delay(Number(city) % 3) });
    const requests = open(server.port);
    const cities = Array.from({ length: 50 }, (_, index) => `${index}`);
    expect(await Promise.all(cities.map((city) => ask(requests, city)))).to.deep.equal(cities);
    expect(streams.size).to.equal(1);
  });

  it("replaces an old stream without losing requests", async () => {
    const { server, streams } = await serve();
    const requests = open(server.port, 20);
    for (let turn = 0; streams.size < 4; turn += 1) expect(await ask(requests, `${turn}`)).to.equal(`${turn}`);
  });

  it("ends a stream with a timed-out request and those behind it, and opens another", async () => {
    const { server, streams } = await serve({
      beforeResponse: (city) => (city === "stuck" ? new Promise<void>(() => {}) : undefined),
    });
    const requests = open(server.port);
    expect(await ask(requests, "before")).to.equal("before");
    const behind = Promise.all([ask(requests, "stuck", 50), ask(requests, "behind")]);
    expect(await behind).to.deep.equal([grpc.status.CANCELLED, grpc.status.CANCELLED]);
    expect(await ask(requests, "after")).to.equal("after");
    expect(streams.size).to.equal(2);
  });

  it("drops the response of a canceled request", async () => {
    const { server } = await serve();
    const requests = open(server.port);
    let isDone = false;
    const cancel = requests.send({ addresses: ["canceled"] }, TIMEOUT_MS, () => {
      isDone = true;
    });
    cancel();
    expect(await ask(requests, "next")).to.equal("next");
    expect(isDone).to.equal(false);
  });

  it("fails with the handler's status, and opens another stream", async () => {
    const { server } = await serve();
    const requests = open(server.port);
    expect(await ask(requests, "nowhere")).to.equal(grpc.status.INVALID_ARGUMENT);
    expect(await ask(requests, "broken")).to.equal(grpc.status.INTERNAL);
    expect(await ask(requests, "good")).to.equal("good");
  });

  it("completes pending requests of a closing server, then lets it close", async () => {
    const received = Promise.withResolvers<void>();
    const may = Promise.withResolvers<void>();
    const { server } = await serve({
      beforeResponse: (city) => {
        if (city !== "last") return;
        received.resolve();
        return may.promise;
      },
    });
    const requests = open(server.port);
    expect(await ask(requests, "before")).to.equal("before");
    const last = ask(requests, "last");
    await received.promise;
    const closed = server[Symbol.asyncDispose]();
    may.resolve();
    expect(await last).to.equal("last");
    await closed;
    expect(await ask(requests, "after", 100)).to.be.oneOf([grpc.status.UNAVAILABLE, grpc.status.CANCELLED]);
  });

  it("lets a closing server end an idle stream", async () => {
    const { server, warnings } = await serve();
    const requests = open(server.port);
    expect(await ask(requests, "before")).to.equal("before");
    await server[Symbol.asyncDispose]();
    expect(warnings, "about aborted calls").to.deep.equal([]);
  });

  it("fails if the server doesn't support streams", async () => {
    const { server } = await serve({ methods: [] });
    expect(await ask(open(server.port), "city")).to.equal(grpc.status.UNIMPLEMENTED);
  });
});
