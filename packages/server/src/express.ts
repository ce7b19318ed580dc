import type { IncomingMessage, ServerResponse } from "node:http";
import type { Geolookup } from "./geolookup.ts";
import type { FieldName, Located } from "./record.ts";

declare global {
  namespace Express {
    interface Request {
      /** The visitor's location, set by the middleware of @geolookup/server. */
      geo?: Located;
    }
  }
}

/** Middleware for Express and Connect: sets `req.geo`. */
export function geoMiddleware<Field extends FieldName>(
  geolookup: Geolookup<Field>,
): (req: IncomingMessage & { geo?: Located<Field> }, res: ServerResponse, next: (error?: unknown) => void) => void {
  return (req, _res, next) => {
    geolookup.locate(req).then((geo) => {
      req.geo = geo;
      next();
    }, next);
  };
}
