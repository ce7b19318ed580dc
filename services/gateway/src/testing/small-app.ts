import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Grant } from "@geolookup/shared/domain/authorize.ts";
import { UNKNOWN_TEXT } from "@geolookup/shared/domain/record-text.ts";
import { readCertificate } from "@geolookup/shared/runtime/tls/certificate.ts";
import { Registry } from "@prometheus-io/client";
import { type Logger, pino } from "pino";
import { testAuthority } from "../../../../test/harness/certificates.ts";
import { type AppParts, type AppSettings, createApp } from "../app.ts";
import { createKeyRates } from "../limits/rates/key-rates.ts";
import type { RequestHead } from "../request/exchange.ts";

export const GRANT: Grant = {
  keyId: "key1",
  kind: "secret",
  plan: "free",
  fields: "free",
  monthlyRequests: 1_000_000,
  origins: [],
  display: "geo_sk_…1111",
};
export const KEY = `geo_sk_abcd${"0".repeat(22)}_${"1".repeat(22)}`;

/** The public server with fakes that grant every key and locate nothing, on its own port. */
export async function startSmallApp(
  options: {
    /** Counts a request, and may return a promise to wait for. */
    count?: () => void | Promise<void>;
    addressOf?: (req: RequestHead) => string;
    parts?: Partial<AppParts>;
    settings?: Partial<AppSettings>;
    log?: Logger;
  } = {},
) {
  const registry = new Registry();
  const { addressOf = () => "192.0.2.7" } = options;
  let counted = 0;
  const count = async () => {
    counted += 1;
    await options.count?.();
  };
  const app = createApp(
    {
      docsUrl: () => "http://docs.test",
      portalUrl: null,
      callerOf: (req) => ({ address: addressOf(req), isTrusted: false, unreadEnd: -1, notice: null }),
      keyless: true,
      accessLog: "off",
      maxInFlight: 10,
      maxConnections: 1_000,
      keepAliveSeconds: 620,
      ipv6LimitPrefix: 64,
      trusts: () => false,
      certificate: null,
      ...options.settings,
    },
    {
      authorizer: { authorize: () => ({ outcome: "granted", grant: GRANT }) },
      locator: { locate: () => ({ record: UNKNOWN_TEXT, reason: "not_found" }) },
      meter: {
        admit: () => ({ admitted: true, limit: 10, remaining: 9, resetUnixSeconds: 0, count, release: () => {} }),
        [Symbol.asyncDispose]: async () => {},
      },
      hourlyLimit: { limit: 60, take: () => ({ admitted: true, remaining: 59, resetUnixSeconds: 0 }) },
      keyRates: createKeyRates({ clock: () => 0 }),
      refusals: { count: () => {} },
      ...options.parts,
    },
    { log: options.log ?? pino({ level: "silent" }), registry, clock: () => 0 },
  );
  app.server.listen(0, "127.0.0.1");
  await once(app.server, "listening");
  const { port } = app.server.address() as AddressInfo;
  const sockets: Socket[] = [];
  return {
    ...app,
    registry,
    url: `http://127.0.0.1:${port}`,
    /** Requests with a key that were counted. */
    counted: () => counted,
    /** A connection on which `text` has been sent. */
    open: async (text: string, socketOptions: { allowHalfOpen?: boolean } = {}): Promise<Socket> => {
      const isSecure = options.settings?.certificate != null;
      const to = { port, host: "127.0.0.1", ...socketOptions };
      const socket = isSecure ? connectTls({ ...to, rejectUnauthorized: false }) : connect(to);
      socket.on("error", () => {});
      sockets.push(socket);
      await once(socket, isSecure ? "secureConnect" : "connect");
      socket.write(text, "latin1");
      return socket;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      app.server.closeAllConnections();
      app.server.close();
      await once(app.server, "close");
    },
  };
}

/** Everything that a connection receives until it ends. */
export async function readAll(socket: Socket): Promise<string> {
  let text = "";
  for await (const chunk of socket) text += chunk;
  return text;
}

/** A certificate for a server that speaks TLS. */
export function testCertificate() {
  const { certFile, keyFile } = testAuthority().issue();
  return readCertificate(readFileSync(certFile, "utf8"), readFileSync(keyFile, "utf8"));
}
