import type { HttpResponse, Sent } from "./http.ts";

/** Environment variables of a deployment, in addition to the suite's own. */
export type Settings = Readonly<Record<string, string>>;

export interface IssuedKey {
  keyId: string;
  kind: "publishable" | "secret";
  plan: string;
  label: string;
  origins: string[];
  display: string;
  status: string;
  createdAt: string;
  /** The full key. */
  key: string;
}

export interface KeyOptions {
  kind?: "publishable" | "secret";
  plan?: string;
  label?: string;
  origins?: readonly string[];
  /** Whether the key may name a visitor in X-Forwarded-For. */
  forward?: boolean;
  /** The ID of its customer. */
  customer?: string;
}

/** A running deployment of any kind, as callers see it. Disposing of it stops it. */
export interface Deployment extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` of the public port. */
  url: string;
  /** The ops port of every process. */
  opsUrls: string[];
  /** The docs that errors link to. */
  docsUrl: string;
  /** The Host header of the docs. */
  docsHost: string;
  /** The portal's own address, behind the gateway. */
  portalUrl: string;
  adminToken: string;
  dataDir: string;
  /** The peer address of its requests, which it trusts. */
  peer: string;
  /** The output of all processes so far. */
  output(): string;
  /** Sends a request, by default from a new client address (`from`; null: no X-Forwarded-For). */
  send(sent?: Sent & { from?: string | null }): Promise<HttpResponse>;
  /** Issues a key through the operator's command. */
  issueKey(options?: KeyOptions): Promise<IssuedKey>;
  /** Like issueKey, but a key with the same options is issued once and shared. */
  sharedKey(options?: KeyOptions): Promise<IssuedKey>;
  /** Runs a key command with `--json`; returns its document. @throws Error with its output if it fails. */
  // biome-ignore lint/suspicious/noExplicitAny: each command's document has another shape
  keys(...args: string[]): Promise<any>;
  /** The same for a command of `customers`. */
  // biome-ignore lint/suspicious/noExplicitAny: each command's document has another shape
  customers(...args: string[]): Promise<any>;
  /** SIGTERM, then waits. @throws Error if the exit status isn't 0. */
  stop(): Promise<void>;
  /** SIGKILL to every process, then waits. */
  kill(): Promise<void>;
}
