import type { OpsTarget } from "@geolookup/shared/runtime/http/ops-ports.ts";
import type { DataCommands } from "./data-commands.ts";

/** The settings of the console. */
export interface ConsoleSettings {
  /** gRPC targets. */
  authUrl: string;
  usageUrl: string;
  /** Null if not configured: the console can't look up addresses. */
  geoUrl: string | null;
  /** The gateways' TRUST_PROXY, which the console explains. */
  trustProxy: string;
  /** Operators sign in with it, and the portal sends it to auth and usage. */
  adminToken: string;
  /** The ops ports for the cluster page; null if not configured. */
  opsTargets: readonly OpsTarget[] | null;
  /** Changes the geo data; null if this process can't. */
  dataCommands: DataCommands | null;
}

/** The variables that must be set before there is a console. */
export interface MissingSettings {
  missing: readonly string[];
}

/** What `/console` serves: the console, a page that lists missing settings, or nothing (`off`). */
export type ConsoleChoice = ConsoleSettings | MissingSettings | "off";
