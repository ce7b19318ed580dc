import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { type InternalTls, readInternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";
import { serverOptions } from "@geolookup/shared/runtime/tls/secure-server.ts";
import {
  internalAuthority,
  otherDeploymentSettings,
  tlsOf,
} from "@geolookup/shared/runtime/tls/testing/internal-certificates.ts";
import { expect } from "chai";
import { createServerClient } from "./server-client.ts";

/** Trusts the deployment's CA, which hasn't issued its certificate. */
const withOtherCertificate = () =>
  readInternalTls({ ...otherDeploymentSettings("geo"), caFile: internalAuthority().caFile }, "geo");
const stranger = () => readInternalTls(otherDeploymentSettings("geo-data"), "geo-data");

describe("a geo node's connections with TLS between processes", () => {
  let opened: AsyncDisposableStack;
  beforeEach(() => {
    opened = new AsyncDisposableStack();
  });
  afterEach(() => opened.disposeAsync());

  const serve = async (tls: InternalTls | null): Promise<string> => {
    const respond: RequestListener = (_req, res) => res.writeHead(404).end();
    const server = tls ? createHttpsServer(serverOptions(tls), respond) : createHttpServer(respond);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    opened.defer(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  const CASES: [what: string, server: () => InternalTls | null, node: () => InternalTls | null, problem: RegExp][] = [
    [
      "reach the geo data server at an http:// address",
      () => tlsOf("geo-data"),
      () => tlsOf("geo"),
      /: it responded with status 404$/,
    ],
    [
      "don't trust another service",
      () => tlsOf("gateway"),
      () => tlsOf("geo"),
      /certificate isn't geo-data's: .*DNS:gateway/,
    ],
    ["don't trust another CA", stranger, () => tlsOf("geo"), /isn't from a CA in INTERNAL_TLS_CA_FILE;/],
    [
      "say that the server has no TLS",
      () => null,
      () => tlsOf("geo"),
      /: it doesn't use TLS; set the INTERNAL_TLS_… variables/,
    ],
    [
      "say that the server refuses them",
      () => tlsOf("geo-data"),
      withOtherCertificate,
      /refuse[sd] this node's certificate/,
    ],
    [
      "say that the server needs TLS",
      () => tlsOf("geo-data"),
      () => null,
      /if it uses TLS, set the INTERNAL_TLS_… variables here/,
    ],
  ];
  for (const [what, server, node, problem] of CASES)
    it(what, async () => {
      const client = createServerClient(await serve(server()), node(), new AbortController().signal);
      const request = client.fetchManifest(null);
      const failure = request.then(
        () => "",
        (error: Error) => error.message,
      );
      expect(await failure).to.match(problem);
    });
});
