import { freshIpv4 } from "./addresses.ts";
import { type Child, withExit } from "./child.ts";
import { type HttpResponse, type Sent, send } from "./http.ts";
import { mismatches } from "./openapi.ts";

/**
 * A Deployment's `send`: each request has its own address unless it sets one, and each response of
 * the API must match /openapi.json.
 * @param docsHost the host whose responses are pages.
 * @param process the process that responds. Errors say so if it has exited.
 */
export function clientOf(url: string, docsHost: string, process: Child) {
  return async ({ from = freshIpv4(), ...sent }: Sent & { from?: string | null } = {}) => {
    let response: HttpResponse;
    try {
      const headers = from === null ? sent.headers : { "X-Forwarded-For": from, ...sent.headers };
      response = await send(url, headers === undefined ? sent : { ...sent, headers });
    } catch (error) {
      throw withExit(error, process);
    }
    const problems = isForDocs(sent, docsHost) ? [] : mismatches(sent, response);
    if (problems.length === 0) return response;
    const asked = `${sent.method ?? "GET"} ${sent.path ?? "/v1/geo"}`;
    throw new Error(
      `${asked} got a response that differs from /openapi.json:\n${problems.join("\n")}\n${response.text}`,
    );
  };
}

/** A target in absolute form goes before the Host header (RFC 9112, section 3.2.2); a default port, and a dot after the name, may be there. */
function isForDocs({ path = "", host = "" }: Sent, docsHost: string): boolean {
  const [, authority = host] = /^https?:\/\/([^/?#]*)/i.exec(path) ?? [];
  return (
    authority
      .toLowerCase()
      .replace(/:(80|443)$/, "")
      .replace(/\.(?=:|$)/, "") === docsHost
  );
}
