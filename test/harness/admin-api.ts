import { OPERATIONS } from "@geolookup/portal/admin-api/api-router.ts";
import { adminApiDocument } from "@geolookup/portal/admin-api/openapi.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
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
      const json = parse(text);
      expectDescribed(method, path, response.status, json);
      return { status: response.status, headers: response.headers, text, json };
    },
  };
}

const described = JSON.parse(JSON.stringify(adminApiDocument(OPERATIONS, null)));
const validator = addFormats
  .default(new Ajv2020({ strict: true, strictTypes: false, allErrors: true }))
  .addVocabulary(Object.keys(described))
  .addSchema(described, "admin.json");

/** @throws Error if a response differs from the OpenAPI document. */
function expectDescribed(method: string, path: string, status: number, json: unknown): void {
  const [target = ""] = path.split("?");
  const [, operation] =
    Object.entries<Record<string, { responses: Record<string, object> }>>(described.paths).find(([template]) =>
      new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`).test(`/admin/v1${target}`),
    ) ?? [];
  if (status >= 400 || target === "/openapi.json") return;
  const schema = JSON.stringify(operation?.[method.toLowerCase()]?.responses[status]).match(/#\/components[^"]+/)?.[0];
  const validate = schema && validator.getSchema(`admin.json${schema}`);
  if (!validate) throw new Error(`${method} ${path} returned ${status}, which /openapi.json doesn't describe`);
  if (!validate(json)) throw new Error(`${method} ${path}: ${validator.errorsText(validate.errors)}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
