import { EDGE_ERROR_STATUS, type EdgeProblem, edgeErrorBody } from "@geolookup/shared/domain/edge-errors.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { CheckRequest__Output } from "@geolookup/shared/generated/envoy/service/auth/v3/CheckRequest.ts";
import type { CheckResponse } from "@geolookup/shared/generated/envoy/service/auth/v3/CheckResponse.ts";
import type { ProtoGrpcType } from "@geolookup/shared/generated/external_auth.ts";
import { serve } from "@geolookup/shared/runtime/grpc/served-service.ts";
import { startGrpcServer } from "@geolookup/shared/runtime/grpc/server.ts";
import { loadProto } from "@geolookup/shared/runtime/grpc/services.ts";
import { canonicalAddress, clientAddress, type TrustProxy } from "@geolookup/shared/runtime/http/client-address.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import grpc from "@grpc/grpc-js";
import type { EdgeDecide } from "./edge-decision.ts";
import type { EdgeMetrics } from "./edge-metrics.ts";

/** Envoy's external authorization: `envoy.service.auth.v3.Authorization`. */
export const AUTHORIZATION = loadProto<ProtoGrpcType>("envoy/service/auth/v3/external_auth.proto").envoy.service.auth.v3
  .Authorization.service;

/** Requests carry all headers of a visitor's request, and part of its body if Envoy is configured to send it. */
const MAX_REQUEST_BYTES = 1024 * 1024;

/**
 * Serves Envoy's external authorization: it adds the headers of the visitor's location to a request, or refuses it. The
 * visitor is Envoy's peer. If the peer is a trusted proxy, X-Forwarded-For determines the visitor.
 * @throws StartError if the port is in use.
 */
export async function startEdgeGrpc(
  settings: {
    host: string;
    port: number;
    reusePort: boolean;
    docsUrl: () => string;
    trusts: TrustProxy;
    maxInFlight: number;
  },
  { decide, metrics }: { decide: EdgeDecide; metrics: EdgeMetrics },
  log: Logger,
): Promise<{ port: number } & AsyncDisposable> {
  const { host, port, reusePort, docsUrl, trusts, maxInFlight } = settings;
  let working = 0;
  const check = async (request: CheckRequest__Output, metadata: grpc.Metadata): Promise<CheckResponse> => {
    working += 1;
    try {
      const decision = await decide({
        token: metadata.get("x-edge-token")[0]?.toString(),
        ip: () => visitorOf(request, trusts),
        isOverload: working > maxInFlight,
      });
      const { problem, reason } = decision;
      metrics.responded(problem?.code ?? "ok", reason);
      return problem
        ? denied(problem, docsUrl())
        : { status: { code: grpc.status.OK }, okResponse: { headers: overwriting(decision.headers) } };
    } catch (error) {
      metrics.responded(error instanceof ServiceError ? "unreadable" : "internal_error", "none");
      throw error;
    } finally {
      working -= 1;
    }
  };
  const server = await startGrpcServer({
    ...{ host, port, reusePort, log, setting: "EDGE_GRPC_PORT" },
    services: [serve(AUTHORIZATION, { Check: check }, { maxRequestBytes: MAX_REQUEST_BYTES })],
  });
  server.setServing(true);
  return server;
}

/** @throws ServiceError if the request lacks the peer's IP address. */
function visitorOf({ attributes }: CheckRequest__Output, trusts: TrustProxy): string {
  const peer = attributes?.source?.address?.socketAddress?.address ?? "";
  if (canonicalAddress(peer) === null)
    throw new ServiceError("invalid", "attributes.source.address isn't an IP address");
  const { headers = {}, headerMap } = attributes?.request?.http ?? {};
  const raw = headerMap?.headers.filter(({ key }) => key?.toLowerCase() === "x-forwarded-for") ?? [];
  const lines = raw.map(({ value, rawValue }) => (rawValue?.length ? rawValue.toString() : (value ?? "")));
  return clientAddress(peer, headers["x-forwarded-for"] ?? lines.join(","), trusts);
}

/** Header options that replace what the visitor sent. @param headers names and values in turn. */
function overwriting(headers: readonly string[]) {
  const options = [];
  for (let at = 0; at < headers.length; at += 2)
    options.push({
      // Node's header values have one character per UTF-8 byte; protobuf needs text.
      header: { key: headers[at] as string, value: Buffer.from(headers[at + 1] as string, "latin1").toString() },
      appendAction: "OVERWRITE_IF_EXISTS_OR_ADD" as const,
    });
  return options;
}

function denied(problem: EdgeProblem, docsUrl: string): CheckResponse {
  return {
    status: { code: grpc.status.PERMISSION_DENIED },
    deniedResponse: {
      status: { code: EDGE_ERROR_STATUS[problem.code] },
      headers: overwriting(["Content-Type", "application/json; charset=utf-8", "Cache-Control", "no-store"]),
      body: JSON.stringify(edgeErrorBody(problem, docsUrl)),
    },
  };
}
