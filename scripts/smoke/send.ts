import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { Agent, type IncomingHttpHeaders, request as requestHttp } from "node:http";
import { type AgentOptions, request as requestHttps, Agent as TlsAgent } from "node:https";
import { createSecureContext, getCACertificates } from "node:tls";
import { parseJson } from "@geolookup/shared/domain/parse-json.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { CommandLineError } from "../command-line.ts";
import { adviceFor, type Deployment } from "../deployment.ts";

const TIMEOUT_MS = 10_000;

export interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body as JSON; undefined if it isn't JSON. */
  json: unknown;
}

export interface Sent {
  method?: string;
  /** Sent as is; default: `/v1/geo`. */
  path?: string;
  headers?: Readonly<Record<string, string>>;
  /** The Host header; default: the address's. */
  host?: string;
}

/** Sends one request to the deployment. @throws StartError when there is no response. */
export type Send = (sent?: Sent) => Promise<Received>;

/**
 * Creates a client that opens a connection for each request, so that a load balancer can spread them over gateways.
 * @param baseUrl an http or https address without a path.
 * @param trust how to check its certificate.
 * @param deployment for advice, if it isn't responding.
 */
export function createSend(baseUrl: string, trust: Trust, deployment: Deployment): Send {
  const { protocol, hostname, port, host } = new URL(baseUrl);
  const [request, agent] =
    protocol === "https:"
      ? [requestHttps, new TlsAgent({ keepAlive: false, ...trust })]
      : [requestHttp, new Agent({ keepAlive: false })];
  return (sent = {}) =>
    new Promise((resolve, reject) => {
      const { method = "GET", path = "/v1/geo" } = sent;
      const headers = { ...sent.headers, Host: sent.host ?? host };
      const fail = (error: Error) =>
        reject(
          new StartError(
            `${baseUrl} isn't responding: ${error.message}. ${adviceOn(error) ?? adviceFor(deployment, "gateway")}`,
          ),
        );
      const outgoing = request(
        { hostname: hostname.replace(/^\[|\]$/g, ""), port, method, path, headers, agent, timeout: TIMEOUT_MS },
        (incoming) => {
          let text = "";
          incoming.setEncoding("utf8");
          incoming.on("data", (chunk: string) => {
            text += chunk;
          });
          incoming.on("error", fail);
          incoming.on("end", () =>
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, json: parseJson(text) }),
          );
        },
      );
      outgoing.on("timeout", () => outgoing.destroy(new Error(`no response within ${TIMEOUT_MS / 1000} s`)));
      outgoing.on("error", fail);
      outgoing.end();
    });
}

/** How to check a deployment's certificate. */
export type Trust = Pick<AgentOptions, "secureContext" | "rejectUnauthorized">;

/**
 * @param caFile PEM file of an authority to trust in addition to the public ones.
 * @param insecure whether to check no certificate at all.
 * @throws CommandLineError if both are given; StartError if the file has no certificate.
 */
export function trustOf(caFile: string | undefined, insecure: boolean): Trust {
  if (insecure) {
    if (caFile !== undefined) throw new CommandLineError("--ca and --insecure can't be combined");
    return { rejectUnauthorized: false };
  }
  if (caFile === undefined) return {};
  try {
    const ca = readFileSync(caFile, "utf8");
    // TLS ignores anything that isn't a certificate.
    new X509Certificate(ca);
    return { secureContext: createSecureContext({ ca: [...getCACertificates("default"), ca] }) };
  } catch (error) {
    throw new StartError(`--ca: can't use ${caFile} as a PEM certificate: ${(error as Error).message}`);
  }
}

/** What to do about a connection error, if it's about the certificate; otherwise null. */
function adviceOn(error: NodeJS.ErrnoException): string | null {
  return /CERT|^UNABLE_TO|^HOSTNAME_MISMATCH|^INVALID_CA/.test(error.code ?? "")
    ? "Trust its authority with --ca FILE, or skip the check with --insecure"
    : null;
}
