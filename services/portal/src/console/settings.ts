import type { OpsTarget } from "@geolookup/shared/runtime/http/ops-targets.ts";

/** What the console works with. */
export interface ConsoleSettings {
  /** gRPC targets. */
  authUrl: string;
  usageUrl: string;
  /** Signs operators in, and is shown to auth and usage. */
  adminToken: string;
  /** The ops ports that the cluster page asks; null: it was told none. */
  opsTargets: readonly OpsTarget[] | null;
}

/** In place of the settings: the variables that would have to be set for a console. */
export interface MissingSettings {
  missing: readonly string[];
}

/** What is at `/console`: the console; a page that says what it lacks; `off`: nothing. */
export type ConsoleChoice = ConsoleSettings | MissingSettings | "off";
