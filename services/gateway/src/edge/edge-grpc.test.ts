import type { CheckResponse__Output } from "@geolookup/shared/generated/envoy/service/auth/v3/CheckResponse.ts";
import { openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import { parseTrustProxy } from "@geolookup/shared/runtime/http/client-address.ts";
import grpc from "@grpc/grpc-js";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { pino } from "pino";
import { parsePlaceList } from "./country-rules.ts";
import type { EdgeConfig } from "./edge-config.ts";
import { createEdgeDecide } from "./edge-decision.ts";
import { AUTHORIZATION, startEdgeGrpc } from "./edge-grpc.ts";
import { createEdgeMetrics } from "./edge-metrics.ts";
import { locatorOf } from "./testing/small-edge.ts";

const { path, requestSerialize, responseDeserialize } = AUTHORIZATION.Check;
const TOKEN = "0123456789abcdef";

/** A field of a message: protobuf's wire format, length-delimited. */
const field = (number: number, content: Buffer | string) =>
  Buffer.concat([Buffer.from([(number << 3) | 2, Buffer.byteLength(content)]), Buffer.from(content)]);

/** attributes.source.address.socket_address.address, and a header, by the numbers that Envoy documents. */
const bytesOf = (peer: string, header: Buffer) =>
  field(1, Buffer.concat([field(1, field(1, field(1, field(2, peer)))), field(4, field(2, header))]));

const requestOf = (peer: string, forwardedFor?: string) =>
  requestSerialize({
    attributes: {
      source: { address: { socketAddress: { address: peer } } },
      request: { http: { headers: forwardedFor === undefined ? {} : { "x-forwarded-for": forwardedFor } } },
    },
  });

describe("the edge port's gRPC: Envoy's external authorization", () => {
  let opened: AsyncDisposableStack;
  let registry: Registry;
  let call: (request: Buffer, token?: string) => Promise<Buffer>;

  const start = async (config: Partial<EdgeConfig> = {}) => {
    const base = {
      host: "127.0.0.1",
      port: null,
      grpcPort: 0,
      cacheSeconds: null,
      token: null,
      rules: null,
      isExempt: () => false,
    };
    const edge: EdgeConfig = { ...base, preset: "geo", fields: ["ip", "country", "city"], ...config };
    registry = new Registry();
    const parts = {
      decide: createEdgeDecide(edge, locatorOf("44.0.0.1", "2a00::1")),
      metrics: createEdgeMetrics(registry),
    };
    const trusts = parseTrustProxy("10.0.0.0/8");
    const settings = { host: "127.0.0.1", port: 0, reusePort: false, docsUrl: () => "http://docs.test", trusts };
    const server = await startEdgeGrpc({ ...settings, maxInFlight: 10 }, parts, pino({ level: "silent" }));
    opened = new AsyncDisposableStack();
    opened.use(server);
    const client = opened.use(openClient(`127.0.0.1:${server.port}`));
    call = (request, token) => {
      const metadata = new grpc.Metadata();
      if (token !== undefined) metadata.set("x-edge-token", token);
      const bytes = (message: Buffer) => message;
      return new Promise((resolve, reject) => {
        client.makeUnaryRequest(
          path,
          bytes,
          bytes,
          request,
          metadata,
          { deadline: Date.now() + 5_000 },
          (error, value) => (error ? reject(error) : resolve(value as Buffer)),
        );
      });
    };
  };
  const check = async (request: Buffer, token?: string): Promise<CheckResponse__Output> =>
    responseDeserialize(await call(request, token));
  const headersOf = ({ okResponse }: CheckResponse__Output) =>
    Object.fromEntries(okResponse?.headers.map(({ header }) => [header?.key, header?.value]) ?? []);
  afterEach(() => opened.disposeAsync());

  it("sends the headers of the peer's place, each in place of the visitor's", async () => {
    await start();
    for (const ip of ["44.0.0.1", "2a00::1"]) {
      const response = await check(requestOf(ip, "44.0.0.9"));
      expect(headersOf(response)).to.deep.equal({
        "X-Geo-Ip": ip,
        "X-Geo-Country": "CH",
        "X-Geo-City": "Z%C3%BCrich",
      });
      for (const { appendAction } of response.okResponse?.headers ?? [])
        expect(appendAction).to.equal("OVERWRITE_IF_EXISTS_OR_ADD");
    }
  });

  it("locates the visitor that a trusted peer names, in either form of the headers, and ignores what other peers name", async () => {
    await start();
    expect(headersOf(await check(requestOf("10.0.0.1", "1.2.3.4, 44.0.0.1, 10.0.0.1")))["X-Geo-Ip"]).to.equal(
      "44.0.0.1",
    );
    expect(headersOf(await check(requestOf("44.0.0.2", "44.0.0.1")))).to.include({
      "X-Geo-Ip": "44.0.0.2",
      "X-Geo-Country": "XX",
    });
    const raw = field(13, field(1, Buffer.concat([field(1, "X-Forwarded-For"), field(3, "44.0.0.1")])));
    expect(headersOf(await check(bytesOf("10.0.0.1", raw)))["X-Geo-Ip"]).to.equal("44.0.0.1");
  });

  it("has Envoy's names and field numbers", async () => {
    await start({ preset: "cloudflare", fields: ["city"] });
    expect(path).to.equal("/envoy.service.auth.v3.Authorization/Check");
    const header = field(3, Buffer.concat([field(1, "x-forwarded-for"), field(2, "44.0.0.1")]));
    const option = Buffer.concat([
      field(1, Buffer.concat([field(1, "CF-IPCity"), field(2, "Zürich")])),
      Buffer.from([(3 << 3) | 0, 2]),
    ]);
    const expected = Buffer.concat([field(1, Buffer.from([(1 << 3) | 0, 0])), field(3, field(2, option))]);
    expect(await call(bytesOf("10.0.0.1", header))).to.deep.equal(expected);
  });

  it("refuses requests by country and without the token, with errors in the API's format", async () => {
    await start({ token: TOKEN, rules: { allow: null, deny: parsePlaceList("CH"), unknown: "allow" } });
    for (const [token, httpStatus, code] of [
      [TOKEN, 403, "country_not_allowed"],
      [undefined, 401, "invalid_edge_token"],
      ["another", 401, "invalid_edge_token"],
    ] as const) {
      const { status, deniedResponse, okResponse } = await check(requestOf("44.0.0.1"), token);
      expect([status?.code, deniedResponse?.status?.code]).to.deep.equal([grpc.status.PERMISSION_DENIED, httpStatus]);
      expect(okResponse).to.equal(undefined);
      const { error } = JSON.parse(deniedResponse?.body ?? "");
      expect(error).to.include({ code, docs: `http://docs.test/errors/${code}` });
    }
    expect((await check(requestOf("44.0.0.2"), TOKEN)).status?.code ?? 0).to.equal(0);
  });

  it("refuses requests of 4 MB, and serves the others on the same connection", async () => {
    await start();
    const long = Buffer.alloc(4 * 1024 * 1024);
    // Connections are checked every second.
    const endMs = performance.now() + 2_500;
    const send = async (request: Buffer) => {
      const codes: number[] = [];
      while (performance.now() < endMs)
        codes.push(
          await call(request).then(
            () => grpc.status.OK,
            ({ code }: grpc.ServiceError) => code,
          ),
        );
      return codes;
    };
    const good = requestOf("44.0.0.1");
    const [refused = [], ...served] = await Promise.all([long, good, good, good].map(send));
    expect([...new Set(refused)]).to.deep.equal([grpc.status.RESOURCE_EXHAUSTED]);
    expect([...new Set(served.flat())]).to.deep.equal([grpc.status.OK]);
  });

  it("returns an error if the peer's address is missing", async () => {
    await start();
    const { INTERNAL, INVALID_ARGUMENT } = grpc.status;
    for (const [request, expected] of [
      [Buffer.alloc(0), INVALID_ARGUMENT],
      [requestOf("/run/envoy.sock"), INVALID_ARGUMENT],
      [Buffer.from([0xff]), INTERNAL],
    ] as const) {
      const error = await call(request).then(
        () => null,
        (reason: grpc.ServiceError) => reason,
      );
      expect(error?.code).to.equal(expected);
    }
    // The third isn't a message at all.
    expect(await registry.metrics()).to.include('geolookup_edge_requests_total{code="unreadable",reason="none"} 2\n');
  });
});
