import { createHash, timingSafeEqual } from "node:crypto";
import type { EdgeProblem } from "@geolookup/shared/domain/edge-errors.ts";

/**
 * Compares tokens in constant time.
 * @param token EDGE_TOKEN; null: none is required.
 * @returns a function that takes the X-Edge-Token header, and returns the problem with it or null.
 */
export function createTokenCheck(token: string | null): (sent: string | string[] | undefined) => EdgeProblem | null {
  if (token === null) return () => null;
  const expected = sha256(token);
  return (sent) => {
    if (sent === undefined) return { code: "invalid_edge_token", wasSent: false };
    return timingSafeEqual(sha256(String(sent)), expected) ? null : { code: "invalid_edge_token", wasSent: true };
  };
}

const sha256 = (text: string) => createHash("sha256").update(text).digest();
