import type { OpsTarget } from "@geolookup/shared/runtime/http/ops-ports.ts";
import { type RequestHandler, Router } from "express";
import type { ServiceSettings } from "../deployment/services.ts";
import { html } from "../html.ts";
import { page } from "../page.ts";
import { securityHeaders } from "../security-headers.ts";
import type { SignInSettings } from "./sign-in-settings.ts";

/** A command that changes the data: update it, or switch to an installed version. */
export type DataCommand = { update: true } | { version: string };

/** The latest command that was started from the console. */
export interface DataJob {
  command: DataCommand;
  state: "running" | "succeeded" | "failed";
  /** The last lines of its output. */
  lines: readonly string[];
}

/** Changes the data, if the console's process can. */
export interface DataCommands {
  /** Starts a command. @returns false while another one is running. */
  start(command: DataCommand): boolean;
  /** Null before the first command. */
  job(): DataJob | null;
}

/** The settings of the console. */
export interface ConsoleSettings extends ServiceSettings {
  signIn: SignInSettings;
  /** The gateways' TRUST_PROXY, which the console explains. */
  trustProxy: string;
  /** The ops ports for warnings and the cluster page; null if not configured. */
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

const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * A warning if the console is used over plain HTTP, or null. DOCS_URL decides: the console accepts forms only from that address,
 * and it starts with https even if a proxy terminates TLS.
 */
export function withoutTls(console: ConsoleChoice, docsUrl: string | null): string | null {
  if (console === "off" || "missing" in console || docsUrl === null) return null;
  const { protocol, hostname } = new URL(docsUrl);
  if (protocol === "https:" || LOOPBACK.test(hostname)) return null;
  return (
    `the console at ${new URL("/console", docsUrl)} is served without TLS, so the admin token can be intercepted. Set up ` +
    "TLS (TLS_CERT_FILE or a proxy) with an https DOCS_URL, or disable the console with CONSOLE=off"
  );
}

/** Replaces the console if settings are missing. */
export function consoleNotSetUp({ missing }: MissingSettings): Router {
  const sendNotice: RequestHandler = (_req, res) => {
    const content = html`<h1>The console is not set up</h1>
<p>Set these variables of the portal: ${missing.map((name, index) => html`${index === 0 ? "" : ", "}<code>${name}</code>`)}.
<code>docs/configuration.md</code> describes them.</p>`;
    res.set({ ...securityHeaders(), "Cache-Control": "no-store" });
    res.status(404).send(page("Console", content));
  };
  return Router().use(sendNotice);
}
