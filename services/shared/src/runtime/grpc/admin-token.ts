import { createHash, timingSafeEqual } from "node:crypto";
import type { Metadata } from "@grpc/grpc-js";
import { ServiceError } from "../../domain/service-error.ts";

/**
 * Lets a call pass only with the metadata `authorization: Bearer <token>`. The comparison takes
 * the same time whatever was sent, its length included.
 * @throws ServiceError `unauthenticated`, without a word of what was sent.
 */
export function requireAdminToken(metadata: Metadata, token: string): void {
  const sent = String(metadata.get("authorization")[0] ?? "");
  const bearer = /^bearer +(.*)$/i.exec(sent);
  if (!bearer)
    throw new ServiceError("unauthenticated", "no admin token was sent; pass it as `authorization: Bearer <token>`");
  if (!timingSafeEqual(sha256(bearer[1] ?? ""), sha256(token)))
    throw new ServiceError("unauthenticated", "the admin token is not the service's ADMIN_TOKEN");
}

const sha256 = (text: string) => createHash("sha256").update(text).digest();
