import type { Deployment } from "../../test/harness/deployment.ts";

/** What is attacked, as far as its attackers and those who watch know it. */
export interface Target {
  /** E.g. `standalone over TLS`. */
  name: string;
  /** Base address that callers connect to: a gateway's, or that of HAProxy before it. */
  url: string;
  /** Authority that its certificate is checked with, PEM; null: plain HTTP, or one that the system trusts. */
  ca: string | null;
  /** Whether HAProxy responds to input that isn't HTTP. */
  isBehindHaproxy: boolean;
  /** Base address of the docs host, and its Host header. */
  docsUrl: string;
  docsHost: string;
  /** What signs in to the console; null: attacks on it are left out. */
  adminToken: string | null;
  /** A good key, for the good client. */
  key: string;
  /** What its operator can see and do; null for a target that was given by its address. */
  inside: Inside | null;
}

/** A target that was started here. */
export interface Inside extends Pick<Deployment, "issueKey" | "keys" | "output"> {
  /** Base addresses of all ops ports. */
  opsUrls: readonly string[];
  /** gRPC addresses that can be reached, `127.0.0.1:PORT`. */
  grpc: Readonly<Partial<Record<"auth" | "geo" | "usage", string>>>;
  /** The first database file: it may be replaced. */
  database: string;
}
