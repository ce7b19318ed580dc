import type { Geolookup } from "./geolookup.ts";
import type { FieldName, Located } from "./record.ts";
import { lastUntrusted, parseTrustProxy } from "./visitor.ts";

/** Passes the record from middleware to pages. */
const HEADER = "x-geolookup-record";

export interface NextGeo<Field extends FieldName = FieldName> {
  /** Locates the visitor of a request, in a route handler or in middleware. */
  locate(request: Request): Promise<Located<Field>>;
  /**
   * The headers of a request with the visitor's location, for `NextResponse.next({ request: { headers } })` in middleware.
   * Headers of these names that the visitor sent are removed.
   */
  headersFor(request: Request): Promise<Headers>;
  /**
   * Reads what `headersFor` added, in pages (`await headers()`). Null if the middleware didn't run for the page. Visitors could
   * then send the header themselves, so run the middleware for every page that calls this.
   */
  read(headers: Pick<Headers, "get">): Located<Field> | null;
}

/**
 * For Next.js on Node.js. Its requests carry no address, so the visitor is read from X-Forwarded-For: Next.js must be
 * reachable only through a proxy that appends to this header or replaces it.
 * @param options.trustProxy proxies between that proxy and the visitor, such as a CDN. Default: none.
 * @param options.ip returns the visitor's address, instead of X-Forwarded-For. Null if it's unknown.
 */
export function createNextGeo<Field extends FieldName>(
  geolookup: Geolookup<Field>,
  options: { trustProxy?: readonly string[]; ip?: (request: Request) => string | null } = {},
): NextGeo<Field> {
  const trusts = parseTrustProxy(options.trustProxy ?? []);
  const ipOf = options.ip ?? (({ headers }: Request) => lastUntrusted(headers.get("X-Forwarded-For") ?? "", trusts));
  const locate = (request: Request) => geolookup.locate(request, { ip: ipOf(request) });
  return {
    locate,
    headersFor: async (request) => {
      const headers = new Headers(request.headers);
      headers.set(HEADER, encodeURIComponent(JSON.stringify(await locate(request))));
      return headers;
    },
    read: (headers) => {
      try {
        return JSON.parse(decodeURIComponent(headers.get(HEADER) ?? "null"));
      } catch {
        return null;
      }
    },
  };
}
