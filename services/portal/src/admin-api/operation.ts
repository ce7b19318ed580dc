import type { Role } from "@geolookup/shared/domain/operators.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { z } from "zod";
import type { Backend } from "../deployment/backend.ts";

/** What is stored before a change, so that it is made only once. */
export interface Prepared {
  /** The ID that the new key will have. */
  keyId?: string;
  /** The key that will be rotated: its version, and its successor. */
  version?: number;
  rotatedTo?: string;
  /** Whether what is added was already there. */
  existed?: boolean;
}

/** What an operation needs of its request. */
export interface ApiRequest<Query = unknown, Body = unknown> {
  /** The part of the path in braces; empty if there is none. */
  id: string;
  query: Query;
  body: Body;
  /** Calls auth as the operator who sent the request. Usage and geo don't ask who that is: they come after a call of auth. */
  backend: Backend;
  nowMs: number;
  /** What `prepare` returned; null without an Idempotency-Key. */
  prepared: Prepared | null;
}

/** An operation of the API. The router and the OpenAPI document are made from it. */
export interface Operation {
  method: "get" | "post" | "patch" | "delete";
  /** Below `/admin/v1`, such as `/keys/{keyId}`. */
  path: string;
  /** Its name in the OpenAPI document. */
  id: string;
  summary: string;
  /** What auth requires. */
  role: Role;
  query?: z.ZodObject;
  body?: z.ZodObject;
  result: z.ZodType;
  status?: 201;
  /** A property of the result that is never stored. */
  secret?: "key" | "token";
  run(request: ApiRequest): Promise<object>;
  /**
   * For changes that would have a second effect if they were repeated: what to store before the effect, so that `recover` can tell, after
   * an interrupted attempt, whether it took place.
   */
  once?: {
    prepare(request: ApiRequest): Promise<Prepared>;
    /** The result, without its secret, if the effect took place; otherwise null. */
    recover(request: ApiRequest): Promise<object | null>;
  };
}

type Route = `${Operation["method"]} /${string}`;

/** Describes an operation, and checks the types of its parts against each other. */
export function operation<
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Body extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Result extends z.ZodType = z.ZodType,
>(
  route: Route,
  id: string,
  role: Role,
  summary: string,
  parts: Pick<Operation, "status" | "secret"> & {
    query?: Query;
    body?: Body;
    result: Result;
    run(request: ApiRequest<z.output<Query>, z.output<Body>>): Promise<NoInfer<z.input<Result>>>;
    once?: {
      prepare(request: ApiRequest<z.output<Query>, z.output<Body>>): Promise<Prepared>;
      recover(request: ApiRequest<z.output<Query>, z.output<Body>>): Promise<NoInfer<z.input<Result>> | null>;
    };
  },
): Operation {
  const [method, path] = route.split(" ");
  return { ...parts, method, path, id, role, summary } as unknown as Operation;
}

/** What was found; null if it doesn't exist. */
export async function orNone<Found>(found: Promise<Found>): Promise<Found | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "not_found") return null;
    throw error;
  }
}
