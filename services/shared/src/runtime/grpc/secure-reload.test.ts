import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { createAuthority } from "../../../../../test/harness/certificates.ts";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import { type InternalTls, openInternalTls, readInternalTls } from "../tls/internal-tls.ts";
import { processFiles } from "../tls/testing/process-files.ts";
import { callUnary, openClient, securePeer } from "./client.ts";
import { serve } from "./served-service.ts";
import { GEO } from "./services.ts";
import { startSecurePort } from "./testing/secure-port.ts";

const DEADLINE_MS = 15_000;

describe("a gRPC port and a client with internal TLS", () => {
  it("renew their certificates and replace their CA without a failed call; then the old CA is refused", async () => {
    const [before, after] = [createAuthority(), createAuthority()];
    const [server, client] = [processFiles("geo", before), processFiles("gateway", before)];
    const both = [server, client];
    await using opened = new AsyncDisposableStack();
    const lines: { msg: string }[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const polling = { pollIntervalMs: 20 };
    const context = { clock: () => Date.now(), log, registry: new Registry(), ...polling };
    const port = opened.use(
      await startSecurePort("geo", [serve(GEO, { Locate: () => ({}) })], {
        settings: server.settings,
        ...polling,
      }),
    );
    /** A function that makes a call on a new connection. */
    const caller = (tls: InternalTls | null) => {
      const peer = securePeer(tls, "geo");
      return async () => {
        using channel = openClient(`127.0.0.1:${port.port}`, peer, { "grpc.use_local_subchannel_pool": 1 });
        await callUnary(channel, GEO.Locate, { addresses: [] }, { deadlineMs: DEADLINE_MS });
      };
    };
    const call = caller(opened.use(await openInternalTls(client.settings, "gateway", context)));

    const failures: unknown[] = [];
    let calls = 0;
    let isOver = false;
    const load = (async () => {
      while (!isOver) {
        await call().catch((error: unknown) => failures.push(error));
        calls += 1;
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    })();
    const isReloaded = ({ msg }: { msg: string }) => msg === "internal TLS files reloaded";
    const phase = async (what: string, change: (each: (typeof both)[number]) => void) => {
      for (const [each, logged] of [
        [server, port.lines],
        [client, lines],
      ] as const) {
        const seen = logged.filter(isReloaded).length;
        change(each);
        await waitFor(`${what}`, () => logged.filter(isReloaded).length > seen, DEADLINE_MS);
      }
      const from = calls;
      await waitFor(`calls after ${what}`, () => calls > from + 20, DEADLINE_MS);
    };
    await phase("renewed certificates", (each) => each.renew(before));
    await phase("both CAs", (each) => each.trust(before, after));
    await phase("certificates of the new CA", (each) => each.renew(after));
    await phase("the new CA alone", (each) => each.trust(after));
    isOver = true;
    await load;
    expect(failures).to.deep.equal([]);
    expect(port.lines.filter((line) => !isReloaded(line))).to.deep.equal([]);

    const old = processFiles("gateway", before);
    old.trust(before, after);
    await caller(readInternalTls(old.settings, "gateway"))().catch(() => {});
    const reasons = () => port.lines.map(({ reason }) => reason);
    const reason = "the client's certificate is from a CA that isn't in INTERNAL_TLS_CA_FILE";
    await waitFor("the old CA to be refused", () => reasons().includes(reason), DEADLINE_MS);
  });
});
