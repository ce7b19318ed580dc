import { Registry } from "@prometheus-io/client";
import { pino } from "pino";
import { startNatsServer } from "../../../../../../test/harness/nats-server.ts";
import { openNats } from "../../../runtime/nats/connection.ts";
import { describeKeyLog } from "../key-log.suite.ts";
import { openJetStreamKeyLog } from "./key-log.ts";

const silent = pino({ level: "silent" });

describeKeyLog("JetStream", async () => {
  const server = await startNatsServer();
  return {
    open: async () => {
      await using opened = new AsyncDisposableStack();
      const nats = opened.use(openNats({ url: server.url, name: "test", log: silent }));
      const log = opened.use(await openJetStreamKeyLog({ nats, replicas: 1, log: silent, registry: new Registry() }));
      const held = opened.move();
      return { ...log, [Symbol.asyncDispose]: () => held.disposeAsync() };
    },
    writers: 3,
    remove: () => server.kill(),
  };
});
