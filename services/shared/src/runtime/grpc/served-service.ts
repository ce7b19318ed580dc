import type grpc from "@grpc/grpc-js";
import type { MethodDefinition } from "@grpc/proto-loader";

/** A thrown ServiceError becomes its status, anything else INTERNAL. */
export type Handler<Request, Response> = (request: Request, metadata: grpc.Metadata) => Promise<Response> | Response;

/** A repeated field of requests, and how many entries it may have. */
export interface BatchBound {
  field: number;
  max: number;
}

/** A service of `proto/` and its implementation. */
export interface ServedService {
  definition: grpc.ServiceDefinition;
  /** By the methods' names. A method without one is UNIMPLEMENTED. */
  handlers: Readonly<Record<string, Handler<unknown, unknown>>>;
  /** The token that each call must present, checked before its request is read. Default: none. */
  adminToken?: string;
  /** The longest request. Default: DEFAULT_MAX_REQUEST_BYTES. A port uses the maximum of its services. */
  maxRequestBytes?: number;
  /** The largest batch by method. Larger ones are refused before they are decoded. */
  batches?: Readonly<Record<string, BatchBound>>;
}

type MethodName<Definition> = keyof {
  [Name in keyof Definition as string extends Name ? never : number extends Name ? never : Name]: unknown;
};

type HandlerOf<Method> =
  Method extends MethodDefinition<infer _Request, infer Response, infer Request, infer _Response>
    ? Handler<Request, Response>
    : never;

/** Checks the types of handlers against their methods in `proto/`. */
export function serve<Definition extends grpc.ServiceDefinition>(
  definition: Definition,
  handlers: { [Name in MethodName<Definition>]?: HandlerOf<Definition[Name]> },
  options: Omit<ServedService, "definition" | "handlers" | "batches"> & {
    batches?: { [Name in MethodName<Definition>]?: BatchBound };
  } = {},
): ServedService {
  // server.ts pairs handlers and methods by name, so each handler gets its own method's requests.
  return { ...options, definition, handlers } as ServedService;
}
