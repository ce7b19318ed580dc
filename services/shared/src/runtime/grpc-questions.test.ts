import { setTimeout as delay } from "node:timers/promises";
import grpc from "@grpc/grpc-js";
import { expect } from "chai";
import { pino } from "pino";
import { ServiceError } from "../domain/service-error.ts";
import { loadService, openClient } from "./grpc-client.ts";
import { openQuestions, type Questions } from "./grpc-questions.ts";
import { startGrpcServer } from "./grpc-server.ts";

const GEO = loadService("geo/v1/geo.proto", "geolookup.geo.v1.Geo");
const TIMEOUT_MS = 10_000;
/** Longer than any stream lasts. */
const AGE_MS = 3_500;

type City = string | undefined;
type Answer = (address: City) => Promise<void> | void;

describe("openQuestions", () => {
  const opened = new Set<{ close(): unknown }>();
  afterEach(async () => {
    for (const { close } of opened) await close();
    opened.clear();
  });

  /** A geo service in which every address is the name of its city, and all streams that it was asked on. */
  const serve = async (answer: Answer = () => {}) => {
    const streams = new Set<grpc.Metadata>();
    const locateStream = async ({ addresses: [city] }: { addresses: string[] }, metadata: grpc.Metadata) => {
      streams.add(metadata);
      await answer(city);
      return { results: [{ place: { city } }] };
    };
    const services = [{ definition: GEO.service, handlers: { locateStream } }];
    const server = await startGrpcServer({ host: "127.0.0.1", port: 0, services, log: pino({ level: "silent" }) });
    opened.add(server);
    return { server, streams };
  };
  const open = (port: number) => {
    const client = openClient(GEO, `127.0.0.1:${port}`);
    const questions = openQuestions(() => client, "locateStream");
    opened.add({
      close: () => {
        questions.close();
        client.close();
      },
    });
    return questions;
  };
  /** @returns the city, or the status of a failure. */
  const ask = (questions: Questions, city: string, timeoutMs = TIMEOUT_MS) =>
    new Promise<City | grpc.status>((resolve) => {
      questions.ask<{ results: { place: { city: string } }[] }>({ addresses: [city] }, timeoutMs, (error, response) =>
        resolve(error ? error.code : response?.results[0]?.place.city),
      );
    });

  it("are answered in their order, over one stream", async () => {
    const { server, streams } = await serve((city) => delay(Number(city) % 3));
    const questions = open(server.port);
    const cities = Array.from({ length: 50 }, (_, index) => `${index}`);
    expect(await Promise.all(cities.map((city) => ask(questions, city)))).to.deep.equal(cities);
    expect(streams.size).to.equal(1);
  });

  it("go on over another stream when one is three seconds old, and none is lost", async () => {
    const { server, streams } = await serve();
    const questions = open(server.port);
    const endMs = performance.now() + AGE_MS;
    for (let turn = 0; performance.now() < endMs; turn += 1) {
      expect(await ask(questions, `${turn}`)).to.equal(`${turn}`);
      await delay(5);
    }
    expect(streams.size).to.equal(2);
  });

  it("of which one waits for too long: its stream ends with those behind it, and the next has another", async () => {
    const { server, streams } = await serve((city) => (city === "stuck" ? new Promise<void>(() => {}) : undefined));
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
    const { server } = await serve((city) => {
      if (city === "bad") throw new ServiceError("invalid", "no such city");
      if (city === "broken") throw new Error("unexpected");
    });
    const questions = open(server.port);
    expect(await ask(questions, "bad")).to.equal(grpc.status.INVALID_ARGUMENT);
    expect(await ask(questions, "broken")).to.equal(grpc.status.INTERNAL);
    expect(await ask(questions, "good")).to.equal("good");
  });

  it("hold no server back that closes; what is asked then is told that nobody is there", async () => {
    const { server } = await serve();
    const questions = open(server.port);
    expect(await ask(questions, "before")).to.equal("before");
    // A server that has to force its calls to end takes two seconds.
    const first = await Promise.race([server.close().then(() => "closed"), delay(1_900, "forced")]);
    expect(first).to.equal("closed");
    opened.delete(server);
    expect(await ask(questions, "after", 100)).to.be.oneOf([grpc.status.UNAVAILABLE, grpc.status.CANCELLED]);
  });

  it("under way when a server closes are answered", async () => {
    const { server } = await serve(() => delay(20));
    const questions = open(server.port);
    expect(await ask(questions, "before")).to.equal("before");
    const last = ask(questions, "last");
    await delay(5);
    await server.close();
    opened.delete(server);
    expect(await last).to.equal("last");
  });

  it("to a server that knows no streams are told so", async () => {
    const services = [{ definition: GEO.service, handlers: {} }];
    const server = await startGrpcServer({ host: "127.0.0.1", port: 0, services, log: pino({ level: "silent" }) });
    opened.add(server);
    expect(await ask(open(server.port), "city")).to.equal(grpc.status.UNIMPLEMENTED);
  });
});
