import grpc from "@grpc/grpc-js";
import { connectOptions } from "../tls/connect-options.ts";
import type { Identity } from "../tls/identities.ts";
import type { InternalTls } from "../tls/internal-tls.ts";

/** What a gRPC client needs to connect to a service over internal TLS. */
export interface SecurePeer {
  credentials: grpc.ChannelCredentials;
  options: grpc.ClientOptions;
}

/**
 * How to connect to a service: over TLS if there is internal TLS, otherwise undefined. grpc-js passes the context to each
 * connection that it opens, so renewed files are used without its experimental certificate provider, which can't require TLS 1.3.
 * This is undocumented, so grpc-js's minor version is pinned.
 */
export function securePeer(tls: InternalTls | null | undefined, service: Identity): SecurePeer | undefined {
  if (!tls) return undefined;
  const { secureContext, servername, ...verification } = connectOptions(tls, service);
  return {
    credentials: grpc.credentials.createFromSecureContext(secureContext, verification),
    options: { "grpc.ssl_target_name_override": servername },
  };
}
