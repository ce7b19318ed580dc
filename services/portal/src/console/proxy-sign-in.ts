import { createHash, timingSafeEqual } from "node:crypto";
import type { Role } from "@geolookup/shared/domain/operators.ts";
import { OPERATOR_SECRET_HEADER } from "@geolookup/shared/runtime/env/gateway-and-portal.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { Request } from "express";
import { operatorName, type SignedIn } from "./sessions.ts";

/** How a proxy in front names the operator that it has signed in. Gateways pass it on only from the proxy's networks. */
export interface ProxySettings {
  /** In lower case. */
  header: string;
  /** What the proxy sends in X-Operator-Secret. */
  secret: string;
  /** The role of everyone whom the proxy lets in; null: only operators that were added, with their own roles. */
  role: Role | null;
}

/**
 * Reads the operator that a proxy has signed in from each request.
 * @returns null without the header, or if the secret is wrong, which is logged once.
 */
export function createProxySignIn(settings: ProxySettings | null, log: Logger): (req: Request) => SignedIn | null {
  if (settings === null) return () => null;
  const { header, role } = settings;
  const secret = sha256(settings.secret);
  const logged = new Set<string>();
  const ignore = (problem: string) => {
    if (!logged.has(problem)) log.warn({ header }, `operator header ignored: ${problem}`);
    logged.add(problem);
    return null;
  };
  return (req) => {
    const sent = req.get(header);
    if (!sent) return null;
    if (!timingSafeEqual(sha256(req.get(OPERATOR_SECRET_HEADER) ?? ""), secret))
      return ignore("X-Operator-Secret isn't OPERATOR_HEADER_SECRET");
    const name = operatorName(sent);
    if (name === null) return ignore("its value can't be the name of an operator");
    return { name, source: "proxy", role, version: 0 };
  };
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
