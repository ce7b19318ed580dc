import { callUnary, loadService, openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import { logLines, startChild, stopChild, waitForOutput } from "../../../../test/harness/child.ts";

/** The admin token of every auth process of the tests. */
export const TOKEN = "a-token-of-some-length";
const DEADLINE_MS = 15_000;

/** A key, as far as the tests look at it. */
export interface Key {
  keyId: string;
  version: number;
  label?: string;
}

export interface Issued {
  secret: string;
  key: Key;
}

export interface Verdicts {
  verdicts: { outcome: string }[];
  epoch: string;
  sequence: number;
}

/** What an auth process that is ready can be asked. */
export interface AuthApi {
  opsUrl: string;
  /** Calls a method of KeyAdmin. */
  admin<Response>(method: string, request: object, token?: string): Promise<Response>;
  authorize(...checks: object[]): Promise<Verdicts>;
}

/** An auth process of a test's own. */
export interface AuthProcess {
  stderr(): string;
  /** Resolves with the exit status, null when a signal ended it. */
  exited: Promise<number | null>;
  /** @throws Error with its output when it ends first or takes too long. */
  ready(): Promise<AuthApi>;
  kill(): void;
  /** Closes the clients and ends it with SIGTERM. @returns its exit status. */
  stop(): Promise<number | null>;
}

/** Starts auth on free ports; what the environment does not say of stores, it has to find. */
export function startAuth(environment: Readonly<Record<string, string>>): AuthProcess {
  const child = startChild("services/auth/src/main.ts", [], { PORT: "0", OPS_PORT: "0", ...environment });
  const clients: { close(): void }[] = [];
  const readyLine = () => logLines(child.stderr()).find(({ msg }) => msg === "ready");
  return {
    stderr: child.stderr,
    exited: child.exited,
    async ready() {
      const { port, opsPort } = await waitForOutput(child, "auth to be ready", readyLine, DEADLINE_MS);
      const open = (name: string) => {
        const client = openClient(loadService("auth/v1/auth.proto", `geolookup.auth.v1.${name}`), `127.0.0.1:${port}`);
        clients.push(client);
        return client;
      };
      const [auth, keyAdmin] = [open("Auth"), open("KeyAdmin")];
      return {
        opsUrl: `http://127.0.0.1:${opsPort}`,
        admin: (method, request, token = TOKEN) =>
          callUnary(keyAdmin, method, request, { deadlineMs: DEADLINE_MS, token }),
        authorize: (...checks) => callUnary(auth, "authorize", { checks }, { deadlineMs: DEADLINE_MS }),
      };
    },
    kill: () => child.kill("SIGKILL"),
    async stop() {
      for (const client of clients) client.close();
      return child.hasEnded() ? child.exited : stopChild(child);
    },
  };
}
