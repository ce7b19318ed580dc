import { pino } from "pino";
import { Registry } from "prom-client";
import { startNatsServer } from "../../../../../../test/harness/nats-server.ts";
import { openNats } from "../../../runtime/nats/connection.ts";
import { describeKeyLog } from "../key-log.suite.ts";
import { openJetStreamKeyLog } from "./key-log.ts";

const silent = pino({ level: "silent" });

describeKeyLog("JetStream", async () => {
  const server = await startNatsServer();
  return {
    open: async () => {
      const nats = openNats({ url: server.url, name: "test", log: silent });
      const log = await openJetStreamKeyLog({ nats, replicas: 1, log: silent, registry: new Registry() });
      return {
        ...log,
        [Symbol.asyncDispose]: async () => {
          await log[Symbol.asyncDispose]();
          await nats[Symbol.asyncDispose]();
        },
      };
    },
    writers: 3,
    remove: () => server.kill(),
  };
});
