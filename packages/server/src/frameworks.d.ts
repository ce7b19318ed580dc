/**
 * The parts of the frameworks that the adapters use. The frameworks aren't installed in the repository. The long tests compile the
 * adapters with the frameworks' own types.
 */

declare module "fastify" {
  export interface FastifyRequest {
    readonly raw: import("node:http").IncomingMessage;
  }
  interface FastifyInstance {
    decorateRequest(name: string, value: unknown): void;
    addHook(name: "onRequest", hook: (request: FastifyRequest) => Promise<void>): void;
  }
  export type FastifyPluginAsync<Options> = (fastify: FastifyInstance, options: Options) => Promise<void>;
}

declare module "hono" {
  /** `hono.ts` adds `geo`. */
  export interface ContextVariableMap {}
  export interface Context {
    readonly env: unknown;
    readonly req: { readonly raw: Request };
    set<Name extends keyof ContextVariableMap>(name: Name, value: ContextVariableMap[Name]): void;
  }
  export type MiddlewareHandler = (context: Context, next: () => Promise<void>) => Promise<void>;
}
