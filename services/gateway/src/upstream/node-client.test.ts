import { setImmediate as nextTurn } from "node:timers/promises";
import { openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import { GEO } from "@geolookup/shared/runtime/grpc/services.ts";
import grpc from "@grpc/grpc-js";
import { expect } from "chai";
import { type NodeClient, openNodeClient } from "./node-client.ts";
import { askForCity, type CityService, startCityService } from "./testing/city-service.ts";

const TIMEOUT_MS = 10_000;
const STREAMS = [{ unary: GEO.Locate, stream: GEO.LocateStream }];

describe("openNodeClient", () => {
  let opened: AsyncDisposableStack;
  beforeEach(() => {
    opened = new AsyncDisposableStack();
  });
  afterEach(() => opened.disposeAsync());

  /** Opens a client of a service with these methods, and counts streams. */
  const open = async (methods: readonly ("Locate" | "LocateStream")[], unaryMs?: number) => {
    const service: CityService = await startCityService({ methods });
    opened.use(service.server);
    const client = opened.use(openClient(`127.0.0.1:${service.server.port}`));
    let streams = 0;
    const counting = new Proxy(client, {
      get: (target, name) => {
        if (name === "makeBidiStreamRequest") streams += 1;
        return Reflect.get(target, name);
      },
    });
    const nodeClient = opened.use(openNodeClient(() => counting, STREAMS, unaryMs));
    return { nodeClient, service, client, streams: () => streams };
  };
  const ask = (nodeClient: NodeClient, city: string) =>
    askForCity((request, done) => nodeClient.call(GEO.Locate, request, TIMEOUT_MS, done), city);

  it("uses a stream, without unary calls", async () => {
    const { nodeClient, service, streams } = await open(["Locate", "LocateStream"]);
    for (const city of ["a", "b", "c"]) expect(await ask(nodeClient, city)).to.equal(city);
    expect(service.calls).to.deep.equal([]);
    expect(streams()).to.equal(1);
  });

  it("uses unary calls for a node without streams, and doesn't retry streams for a while", async () => {
    const { nodeClient, service, streams } = await open(["Locate"]);
    for (const city of ["a", "b", "c"]) expect(await ask(nodeClient, city)).to.equal(city);
    expect(service.calls).to.deep.equal(["a", "b", "c"]);
    expect(streams()).to.equal(1);
  });

  it("retries streams after a while", async () => {
    const { nodeClient, streams } = await open(["Locate"], 0);
    for (const city of ["a", "b"]) expect(await ask(nodeClient, city)).to.equal(city);
    expect(streams()).to.equal(2);
  });

  it("doesn't repeat a request that was canceled before the node reported the missing method", async () => {
    const { nodeClient, service } = await open(["Locate"]);
    const cancel = nodeClient.call(GEO.Locate, { addresses: ["canceled"] }, TIMEOUT_MS, () => {});
    cancel();
    expect(await ask(nodeClient, "next")).to.equal("next");
    expect(service.calls).to.deep.equal(["next"]);
  });

  it("fails a pending request when closed before the node reported the missing method", async () => {
    const { nodeClient, service, client } = await open(["Locate"], 0);
    expect(await ask(nodeClient, "before")).to.equal("before");
    const response = ask(nodeClient, "in progress");
    await nextTurn();
    nodeClient[Symbol.dispose]();
    client.close();
    expect(await response).to.equal(grpc.status.UNIMPLEMENTED);
    expect(service.calls).to.deep.equal(["before"]);
  });

  it("a failing request doesn't affect others", async () => {
    const { nodeClient } = await open(["Locate", "LocateStream"]);
    const responses = ["a", "b", "nowhere", "c", "broken", "d"].map((city) => ask(nodeClient, city));
    const expected = ["a", "b", grpc.status.INVALID_ARGUMENT, "c", grpc.status.INTERNAL, "d"];
    expect(await Promise.all(responses)).to.deep.equal(expected);
  });
});
