import { GeolookupError, type GeolookupErrorCode } from "./geolookup-error.ts";
import { maxAgeSeconds } from "./record-cache.ts";
import { canonicalAddress } from "./visitor.ts";

/** A record is about 500 bytes. */
const MAX_BODY_BYTES = 65_536;

const NOT_FORWARDED =
  "geolookup didn't accept the visitor's address. Use a key issued with --forward, or add this server's address to TRUST_PROXY";

/**
 * Requests the record of a visitor.
 * @param endpoint the URL of the operation, with its query.
 * @returns the record, how long it may be cached, and the service's notice about what it ignored, if any.
 * @throws GeolookupError
 */
export async function fetchRecord(
  endpoint: URL,
  { key, visitor, timeoutMs }: { key: string | undefined; visitor: string; timeoutMs: number },
): Promise<{ record: Record<string, unknown>; maxAgeSeconds: number; notice: string | null }> {
  const signal = AbortSignal.timeout(timeoutMs);
  const headers: Record<string, string> = { Accept: "application/json", "X-Forwarded-For": visitor };
  if (key !== undefined) headers.Authorization = `Bearer ${key}`;
  let response: Response;
  let text: string;
  try {
    // Without it, Next.js may reuse a response: up to version 14 by default, later ones on pages that are rendered at build time.
    response = await fetch(endpoint, { headers, signal, redirect: "manual", cache: "no-store" });
    text = await readText(response);
  } catch (cause) {
    if (cause instanceof GeolookupError) throw cause;
    if (signal.aborted) throw new GeolookupError("timeout", `no response within ${timeoutMs} ms`, { cause });
    throw new GeolookupError("network", `${endpoint.origin} is unreachable`, { cause });
  }
  const body = parseObject(text);
  const { status } = response;
  if (status !== 200 || body === null) throw errorOf(response, body);
  // The service names the header in Vary if it read it. If a plan has no `ip` to compare, the notice tells whose location this is.
  const varies = (response.headers.get("Vary") ?? "")
    .toLowerCase()
    .split(/\s*,\s*/)
    .includes("x-forwarded-for");
  const notice = response.headers.get("X-Geolookup-Notice");
  const isVisitors =
    typeof body.ip === "string" ? canonicalAddress(body.ip) === visitor : !notice?.includes("own location");
  if (!varies || !isVisitors) throw new GeolookupError("not_forwarded", NOT_FORWARDED, { status });
  return { record: body, maxAgeSeconds: maxAgeSeconds(response.headers), notice };
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES)
      throw new GeolookupError("unreadable", `status ${response.status}, but not a geolookup response: too long`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

function errorOf({ status, headers }: Response, body: Record<string, unknown> | null): GeolookupError {
  const { code, message, docs } = (body?.error ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof code !== "string" || typeof message !== "string")
    return new GeolookupError(
      "unreadable",
      `status ${status}, but not a geolookup response; check that \`url\` is the API's base address`,
      { status },
    );
  const seconds = Number(headers.get("Retry-After") ?? Number.NaN);
  return new GeolookupError(code as GeolookupErrorCode, message, {
    status,
    ...(typeof docs === "string" && { docs }),
    ...(seconds >= 0 && { retryAfterSeconds: seconds }),
  });
}
