import { createHash, timingSafeEqual } from "node:crypto";
import type { Metadata } from "@grpc/grpc-js";
import { ServiceError } from "../../domain/service-error.ts";

/**
 * Checks that a call has the metadata `authorization: Bearer <token>`, in constant time.
 * @throws ServiceError `unauthenticated`. Its message doesn't contain the received token.
 */
export function requireAdminToken(metadata: Metadata, token: string): void {
  const sent = String(metadata.get("authorization")[0] ?? "");
  const bearer = /^bearer +(.*)$/i.exec(sent);
  if (!bearer)
    throw new ServiceError("unauthenticated", "the admin token is missing; send it as `authorization: Bearer <token>`");
  if (!timingSafeEqual(sha256(bearer[1] ?? ""), sha256(token)))
    throw new ServiceError("unauthenticated", "the admin token doesn't match the service's ADMIN_TOKEN");
}

const sha256 = (text: string) => createHash("sha256").update(text).digest();
