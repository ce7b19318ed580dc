import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { adminOnly } from "@geolookup/shared/runtime/grpc/calls.ts";
import { callUnary, openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import { serve } from "@geolookup/shared/runtime/grpc/served-service.ts";
import { startGrpcServer } from "@geolookup/shared/runtime/grpc/server.ts";
import { KEY_ADMIN } from "@geolookup/shared/runtime/grpc/services.ts";
import { startSecurePort } from "@geolookup/shared/runtime/grpc/testing/secure-port.ts";
import { listen } from "@geolookup/shared/runtime/http/listen.ts";
import { settingsOf } from "@geolookup/shared/runtime/tls/testing/internal-certificates.ts";
import { expect } from "chai";
import { pino } from "pino";
import { tempFolder } from "../../test/harness/temp-folder.ts";
import { explainFailure } from "./admin-client.ts";
import { type KeyService, runCommand, runForJson, startKeyService, TOKEN } from "./testing/key-service.ts";

describe("geolookup keys, looking for the service", () => {
  let service: KeyService;
  before(async () => {
    service = await startKeyService();
  });
  after(() => service[Symbol.asyncDispose]());

  it("finds the service by AUTH_URL, USAGE_URL and ADMIN_TOKEN, and says what is missing", async () => {
    const { address, dataDir } = service;
    const nowhere = join(dataDir, "nowhere");
    const there = { DATA_DIR: nowhere, AUTH_URL: address, ADMIN_TOKEN: TOKEN };
    expect((await runCommand(["list"], there)).status).to.equal(0);
    const { keyId } = await runForJson(service, "issue", "--kind", "secret", "--plan", "free");
    expect((await runCommand(["usage", keyId], { ...there, USAGE_URL: address })).status).to.equal(0);
    const failures: [args: string[], environment: Record<string, string>, message: RegExp][] = [
      [
        ["list"],
        { DATA_DIR: nowhere, XDG_STATE_HOME: tempFolder() },
        /not running here: there is no .*admin.json.*make start/,
      ],
      [["list"], { AUTH_URL: address }, /set ADMIN_TOKEN/],
      [["list"], { USAGE_URL: address, ADMIN_TOKEN: TOKEN }, /set AUTH_URL/],
      [["usage", "key_1"], there, /set USAGE_URL/],
      [["list"], { ...there, ADMIN_TOKEN: "wrong" }, /doesn't match the service's ADMIN_TOKEN/],
      [["list"], { AUTH_URL: address, ADMIN_TOKEN_FILE: nowhere }, /ADMIN_TOKEN_FILE: cannot read/],
      [["list"], { ...there, AUTH_URL: "http://127.0.0.1:50052" }, /AUTH_URL: must be a gRPC target: host:port/],
      [["list"], { ...there, AUTH_URL: "127.0.0.1" }, /AUTH_URL: must be a gRPC target: host:port/],
      [["usage", "key_1"], { ...there, USAGE_URL: "localhost:many" }, /USAGE_URL: must be a gRPC target/],
    ];
    for (const [args, environment, message] of failures) {
      const { status, out, err } = await runCommand(args, environment);
      expect({ status, out }, err).to.deep.equal({ status: 1, out: "" });
      expect(err).to.match(message).and.not.include(TOKEN);
    }
  });

  it("says how to start the service when its admin.json is stale or garbage", async () => {
    const folder = tempFolder();
    const server = await startGrpcServer({
      host: "127.0.0.1",
      port: 0,
      services: [],
      log: pino({ level: "silent" }),
    });
    await server[Symbol.asyncDispose]();
    const stale = JSON.stringify({ address: `127.0.0.1:${server.port}`, token: TOKEN });
    for (const [content, message] of [
      [stale, /^keys: auth isn't running at 127\.0\.0\.1:\d+\. Start it again: with `make start`, or/],
      ["garbage", /restart geolookup/],
      ["{}", /restart geolookup/],
    ] as const) {
      writeFileSync(join(folder, "admin.json"), content);
      const { status, err } = await runCommand(["list"], { DATA_DIR: folder });
      expect(status).to.equal(1);
      expect(err).to.match(message);
    }
  });

  for (const [deployment, advice] of [
    ["compose", "`make up` starts what is missing, and `./geolookup logs auth` shows its log"],
    ["kubernetes", "`kubectl -n geolookup get pods`"],
    ["", "Check the address"],
  ] as const)
    it(`gives advice that fits the deployment if auth isn't running: ${deployment || "unknown"}`, async () => {
      const { status, err } = await runCommand(["list"], {
        ...{ AUTH_URL: "127.0.0.1:1", ADMIN_TOKEN: TOKEN, DEPLOYMENT: deployment },
      });
      expect(status).to.equal(1);
      expect(err).to.include("keys: auth isn't running at 127.0.0.1:1. ").and.to.include(advice);
      expect(err).to.not.include("make start");
    });

  it("prints the message of an unavailable service", async () => {
    const busy = serve(KEY_ADMIN, {
      ListKeys: () => {
        throw new ServiceError("unavailable", "the key log cannot be read now");
      },
    });
    const log = pino({ level: "silent" });
    const server = await startGrpcServer({ host: "127.0.0.1", port: 0, services: [busy], log });
    try {
      const { status, err } = await runCommand(["list"], { AUTH_URL: `127.0.0.1:${server.port}`, ADMIN_TOKEN: TOKEN });
      expect({ status, err }).to.deep.equal({ status: 1, err: "keys: the key log cannot be read now\n" });
    } finally {
      await server[Symbol.asyncDispose]();
    }
  });

  it("says that another service is at the address", async () => {
    const log = pino({ level: "silent" });
    const services = [serve(KEY_ADMIN, { GetKey: () => ({}) })];
    await using auth = await startGrpcServer({ host: "127.0.0.1", port: 0, services, log });
    await using other = await startGrpcServer({ host: "127.0.0.1", port: 0, services: [], log });
    const urls = { AUTH_URL: `127.0.0.1:${auth.port}`, USAGE_URL: `127.0.0.1:${other.port}`, ADMIN_TOKEN: TOKEN };
    for (const [args, environment, said] of [
      [
        ["list"],
        { ...urls, AUTH_URL: urls.USAGE_URL },
        "isn't the auth service, or it is another version of it. Check AUTH_URL",
      ],
      [["usage", "key_1"], urls, "isn't the usage service, or it is another version of it. Check USAGE_URL"],
    ] as const) {
      const { status, err } = await runCommand([...args], environment);
      expect({ status, err }).to.deep.equal({ status: 1, err: `keys: 127.0.0.1:${other.port} ${said}\n` });
    }
  });

  it("presents the operator's certificate, and reports a service with another service's certificate", async () => {
    const { caFile, certFile, keyFile } = settingsOf("operator");
    const files = { INTERNAL_TLS_CA_FILE: caFile, INTERNAL_TLS_CERT_FILE: certFile, INTERNAL_TLS_KEY_FILE: keyFile };
    const services = [serve(KEY_ADMIN, { ListKeys: () => ({ keys: [] }) }, { identify: adminOnly(TOKEN) })];
    for (const [own, expected] of [
      ["auth", /^$/],
      [
        "usage",
        /^keys: 127\.0\.0\.1:\d+ isn't trusted: the server's certificate isn't auth's.*\. Check the INTERNAL_TLS_…/,
      ],
    ] as const) {
      await using port = await startSecurePort(own, services);
      const environment = { AUTH_URL: `127.0.0.1:${port.port}`, ADMIN_TOKEN: TOKEN, ...files };
      expect((await runCommand(["list"], environment)).err).to.match(expected);
    }
  });

  it("reports an address where something listens but doesn't respond", async () => {
    const silent = createServer();
    await listen(silent, { host: "127.0.0.1", port: 0, setting: "PORT" });
    const { port } = silent.address() as { port: number };
    const client = openClient(`127.0.0.1:${port}`);
    const failure = await callUnary(client, KEY_ADMIN.ListKeys, {}, { deadlineMs: 50 }).catch(
      (error: unknown) => error,
    );
    client.close();
    silent.close();
    expect(failure).to.be.instanceOf(ServiceError);
    for (const isConnected of [true, false])
      expect(
        explainFailure(failure as ServiceError, {
          ...{ target: "127.0.0.1:1", path: KEY_ADMIN.ListKeys.path, isConnected, deployment: "unknown" },
        }).message,
      ).to.match(/^127.0.0.1:1 didn't respond within 10 s\. Check the address/);
  });
});
