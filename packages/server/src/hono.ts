import type { Context, MiddlewareHandler } from "hono";
import type { Geolookup, NodeRequest } from "./geolookup.ts";
import type { FieldName, Located } from "./record.ts";

declare module "hono" {
  interface ContextVariableMap {
    /** The visitor's location, set by the middleware of @geolookup/server. */
    geo: Located;
  }
}

/**
 * Middleware for Hono: sets the variable `geo`. On Node.js (`@hono/node-server`), the visitor is determined as in any Node.js
 * server.
 * @param options.ip the visitor's address on other platforms. Null if it's unknown.
 */
export function geoMiddleware<Field extends FieldName>(
  geolookup: Geolookup<Field>,
  { ip }: { ip?: (context: Context) => string | null } = {},
): MiddlewareHandler {
  return async (context, next) => {
    const { incoming } = (context.env ?? {}) as { incoming?: NodeRequest };
    const geo: Located =
      ip === undefined && incoming !== undefined
        ? await geolookup.locate(incoming)
        : await geolookup.locate(context.req.raw, { ip: ip?.(context) ?? null });
    context.set("geo", geo);
    await next();
  };
}
