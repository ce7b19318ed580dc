import { setTimeout as delay } from "node:timers/promises";
import type { LocateRequest } from "@geolookup/shared/generated/geolookup/geo/v1/LocateRequest.ts";
import type { LocateResponse__Output } from "@geolookup/shared/generated/geolookup/geo/v1/LocateResponse.ts";
import { openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import { GEO } from "@geolookup/shared/runtime/grpc/services.ts";
import grpc from "@grpc/grpc-js";
import { expect } from "chai";
import { openQuestions, type Questions } from "./request-stream.ts";
import { askForCity, startCityService } from "./testing/city-service.ts";

const TIMEOUT_MS = 10_000;

describe("openQuestions", () => {
  const opened = new Set<{ close(): unknown }>();
  afterEach(async () => {
    for (const { close } of opened) await close();
    opened.clear();
  });

  const serve = async (...options: Parameters<typeof startCityService>) => {
    const service = await startCityService(...options);
    opened.add(service.server);
    return service;
  };
  const open = (port: number, ageMs?: number) => {
    const client = openClient(`127.0.0.1:${port}`);
    const questions = openQuestions(() => client, GEO.LocateStream, ageMs);
    opened.add({
      close: () => {
        questions.close();
        client.close();
      },
    });
    return questions;
  };
  const ask = (questions: Questions<LocateRequest, LocateResponse__Output>, city: string, timeoutMs = TIMEOUT_MS) =>
    askForCity((request, done) => questions.ask(request, timeoutMs, done), city);

  it("are answered in their order, over one stream", async () => {
    const { server, streams } = await serve({ answer: (city) => delay(Number(city) % 3) });
    const questions = open(server.port);
    const cities = Array.from({ length: 50 }, (_, index) => `${index}`);
    expect(await Promise.all(cities.map((city) => ask(questions, city)))).to.deep.equal(cities);
    expect(streams.size).to.equal(1);
  });

  it("go on over another stream when one is old, and none is lost", async () => {
    const { server, streams } = await serve();
    const questions = open(server.port, 20);
    for (let turn = 0; streams.size < 4; turn += 1) expect(await ask(questions, `${turn}`)).to.equal(`${turn}`);
  });

  it("of which one waits for too long: its stream ends with those behind it, and the next has another", async () => {
    const { server, streams } = await serve({
      answer: (city) => (city === "stuck" ? new Promise<void>(() => {}) : undefined),
    });
    const questions = open(server.port);
    expect(await ask(questions, "before")).to.equal("before");
    const behind = Promise.all([ask(questions, "stuck", 50), ask(questions, "behind")]);
    expect(await behind).to.deep.equal([grpc.status.CANCELLED, grpc.status.CANCELLED]);
    expect(await ask(questions, "after")).to.equal("after");
    expect(streams.size).to.equal(2);
  });

  it("that are given up hear nothing, and leave the answers of the others where they belong", async () => {
    const { server } = await serve();
    const questions = open(server.port);
    let heard = false;
    const giveUp = questions.ask({ addresses: ["given up"] }, TIMEOUT_MS, () => {
      heard = true;
    });
    giveUp();
    expect(await ask(questions, "next")).to.equal("next");
    expect(heard).to.equal(false);
  });

  it("that cannot be answered fail with the handler's status, and the next are asked again", async () => {
    const { server } = await serve();
    const questions = open(server.port);
    expect(await ask(questions, "nowhere")).to.equal(grpc.status.INVALID_ARGUMENT);
    expect(await ask(questions, "broken")).to.equal(grpc.status.INTERNAL);
    expect(await ask(questions, "good")).to.equal("good");
  });

  it("under way when a server closes are answered, and hold it back no longer", async () => {
    const asked = Promise.withResolvers<void>();
    const may = Promise.withResolvers<void>();
    const { server } = await serve({
      answer: (city) => {
        if (city !== "last") return;
        asked.resolve();
        return may.promise;
      },
    });
    const questions = open(server.port);
    expect(await ask(questions, "before")).to.equal("before");
    const last = ask(questions, "last");
    await asked.promise;
    const closed = server.close();
    may.resolve();
    expect(await last).to.equal("last");
    await closed;
    opened.delete(server);
    expect(await ask(questions, "after", 100)).to.be.oneOf([grpc.status.UNAVAILABLE, grpc.status.CANCELLED]);
  });

  it("that are not asked any more leave a stream that a server ends by itself when it closes", async () => {
    const { server, warnings } = await serve();
    const questions = open(server.port);
    expect(await ask(questions, "before")).to.equal("before");
    await server.close();
    opened.delete(server);
    expect(warnings, "of calls that were broken off").to.deep.equal([]);
  });

  it("to a server that knows no streams are told so", async () => {
    const { server } = await serve({ methods: [] });
    expect(await ask(open(server.port), "city")).to.equal(grpc.status.UNIMPLEMENTED);
  });
});
