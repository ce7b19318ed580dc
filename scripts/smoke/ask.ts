import { Agent, type IncomingHttpHeaders, request as requestHttp } from "node:http";
import { request as requestHttps, Agent as TlsAgent } from "node:https";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { adviceOn, type Trust } from "./trust.ts";

const TIMEOUT_MS = 10_000;

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body as JSON; undefined if it isn't JSON. */
  json: unknown;
}

export interface Sent {
  method?: string;
  /** Sent as it stands; default: `/v1/geo`. */
  path?: string;
  headers?: Readonly<Record<string, string>>;
  /** Another Host than that of the address. */
  host?: string;
}

/** Sends one request to the deployment. */
export type Ask = (sent?: Sent) => Promise<Answer>;

/**
 * A client of a deployment, with a connection for each request, so that a balancer may give each to another gateway.
 * @param baseUrl an http or https address without a path.
 * @param trust how its certificate is checked.
 */
export function askAt(baseUrl: string, trust: Trust): Ask {
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
        reject(new StartError(`${baseUrl} does not answer: ${error.message}${adviceOn(error)}`));
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
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, json: jsonOf(text) }),
          );
        },
      );
      outgoing.on("timeout", () => outgoing.destroy(new Error(`nothing within ${TIMEOUT_MS / 1000} s`)));
      outgoing.on("error", fail);
      outgoing.end();
    });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
