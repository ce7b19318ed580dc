import { send } from "../../../harness/http.ts";
import { atRate } from "../at-rate.ts";
import { type Attack, createTally } from "./attack.ts";
import { dripped } from "./slow-requests.ts";

/** Slow connections to an ops port must not keep the orchestrator from seeing that a process is alive. */
export function slowOpsPort({ connections }: { connections: number }): Attack {
  return {
    name: "slow-ops-port",
    about: `${connections.toLocaleString("en")} requests to an ops port, each sent at a byte a second`,
    async run({ inside }, signal) {
      const [url = ""] = inside.opsUrls ?? [];
      const tally = createTally();
      // The port limits each address. The requests for /healthz come from another one.
      const target = { url, ca: null, localAddress: "127.0.0.2" };
      const begin = "GET /metrics HTTP/1.1\r\nHost: a\r\nX-Slow: ";
      const probing = atRate(2, signal, () => {
        void send(url, { path: "/healthz" }).then(
          ({ status }) => tally.add(`/healthz ${status}`),
          () => tally.add("/healthz without a response"),
        );
      });
      await Promise.all([dripped({ target, signal, connections, begin, add: tally.add }), probing]);
      const bad = tally.counts["/healthz without a response"];
      return { tally: tally.counts, problems: bad ? [`/healthz didn't respond ${bad} times`] : [] };
    },
  };
}
