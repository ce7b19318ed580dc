import { setImmediate as nextTurn } from "node:timers/promises";
import { openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import { GEO } from "@geolookup/shared/runtime/grpc/services.ts";
import grpc from "@grpc/grpc-js";
import { expect } from "chai";
import { type Asking, openAsking } from "./node-client.ts";
import { askForCity, type CityService, startCityService } from "./testing/city-service.ts";

const TIMEOUT_MS = 10_000;
const STREAMS = [{ unary: GEO.Locate, stream: GEO.LocateStream }];

describe("openAsking", () => {
  const opened: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const { close } of opened.splice(0)) await close();
  });

  /** Asks a service that knows these methods, and counts the streams that are begun. */
  const open = async (methods: readonly ("Locate" | "LocateStream")[], unaryMs?: number) => {
    const service: CityService = await startCityService({ methods });
    const client = openClient(`127.0.0.1:${service.server.port}`);
    let begun = 0;
    const counting = new Proxy(client, {
      get: (target, name) => {
        if (name === "makeBidiStreamRequest") begun += 1;
        return Reflect.get(target, name);
      },
    });
    const asking = openAsking(() => counting, STREAMS, unaryMs);
    const close = () => {
      asking.close();
      client.close();
    };
    opened.push({ close }, service.server);
    return { asking, service, begun: () => begun, close };
  };
  const ask = (asking: Asking, city: string) =>
    askForCity((request, done) => asking.ask(GEO.Locate, request, TIMEOUT_MS, done), city);

  it("asks over a stream, without calls", async () => {
    const { asking, service, begun } = await open(["Locate", "LocateStream"]);
    for (const city of ["a", "b", "c"]) expect(await ask(asking, city)).to.equal(city);
    expect(service.calls).to.deep.equal([]);
    expect(begun()).to.equal(1);
  });

  it("asks a node that knows no streams with calls, and does not try streams for a while", async () => {
    const { asking, service, begun } = await open(["Locate"]);
    for (const city of ["a", "b", "c"]) expect(await ask(asking, city)).to.equal(city);
    expect(service.calls).to.deep.equal(["a", "b", "c"]);
    expect(begun()).to.equal(1);
  });

  it("tries streams again after the while", async () => {
    const { asking, begun } = await open(["Locate"], 0);
    for (const city of ["a", "b"]) expect(await ask(asking, city)).to.equal(city);
    expect(begun()).to.equal(2);
  });

  it("calls nobody for a question that was given up before the node had told", async () => {
    const { asking, service } = await open(["Locate"]);
    const giveUp = asking.ask(GEO.Locate, { addresses: ["given up"] }, TIMEOUT_MS, () => {});
    giveUp();
    expect(await ask(asking, "next")).to.equal("next");
    expect(service.calls).to.deep.equal(["next"]);
  });

  it("closed before the node had told: the question fails, and nothing else", async () => {
    const { asking, service, close } = await open(["Locate"], 0);
    expect(await ask(asking, "before")).to.equal("before");
    const answer = ask(asking, "under way");
    await nextTurn();
    close();
    expect(await answer).to.equal(grpc.status.UNIMPLEMENTED);
    expect(service.calls).to.deep.equal(["before"]);
  });

  it("a question that has an error of its own takes no other one with it", async () => {
    const { asking } = await open(["Locate", "LocateStream"]);
    const answers = ["a", "b", "nowhere", "c", "broken", "d"].map((city) => ask(asking, city));
    const expected = ["a", "b", grpc.status.INVALID_ARGUMENT, "c", grpc.status.INTERNAL, "d"];
    expect(await Promise.all(answers)).to.deep.equal(expected);
  });
});
