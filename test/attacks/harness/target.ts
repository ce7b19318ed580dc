import type { Deployment } from "../../harness/deployment.ts";

/** A deployment to attack, as attackers and observers see it. */
export interface Target {
  /** E.g. `standalone over TLS`. */
  name: string;
  /** Base address that callers connect to: of a gateway, or of HAProxy in front of it. */
  url: string;
  /** The authority of its certificate (PEM); null: plain HTTP, or an authority that the system trusts. */
  ca: string | null;
  /** Whether HAProxy responds to input that isn't HTTP. */
  isBehindHaproxy: boolean;
  /** Base address of the docs host, and its Host header. */
  docsUrl: string;
  docsHost: string;
  /** Signs in to the console. */
  adminToken: string;
  /** A valid key, for the well-behaved client. */
  key: string;
  /** Access that only its operator has. */
  inside: Inside;
}

export interface Inside extends Pick<Deployment, "issueKey" | "keys" | "output"> {
  /** Base addresses of all ops ports. */
  opsUrls: readonly string[];
  /** Addresses of the gRPC ports, `127.0.0.1:PORT`. */
  grpc: Readonly<Partial<Record<"auth" | "geo" | "usage", string>>>;
  /** The first database file. Attacks may replace it. */
  database: string;
}
