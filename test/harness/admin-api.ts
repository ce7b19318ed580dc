import type { Deployment } from "./deployment.ts";

export interface ApiResponse {
  status: number;
  headers: Headers;
  /** As text, too. */
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests check the shape.
  json: any;
}

/** A client of a deployment's admin API. */
export interface AdminApi {
  url: string;
  /** Sends a request with the admin token, unless `headers` has another. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
}

/** The admin API of a deployment that was started with ADMIN_API_PORT=0. */
export function adminApiOf(deployment: Deployment): AdminApi {
  const ports = [...deployment.output().matchAll(/"adminApiPort":(\d+)/g)];
  const port = ports.at(-1)?.[1];
  if (port === undefined) throw new Error("the deployment has no admin API");
  return adminApiAt(`http://127.0.0.1:${port}/admin/v1`, deployment.adminToken);
}

export function adminApiAt(url: string, token: string): AdminApi {
  return {
    url,
    async send(method, path, body, headers = {}) {
      const isText = typeof body === "string";
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
        ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, json: parse(text) };
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
