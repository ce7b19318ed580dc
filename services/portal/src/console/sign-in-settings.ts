import { ROLES, type Role } from "@geolookup/shared/domain/operators.ts";
import { operatorHeader } from "@geolookup/shared/runtime/env/gateway-and-portal.ts";
import { z } from "zod";
import type { OidcSettings, RoleMapping } from "./oidc.ts";
import type { ProxySettings } from "./proxy-sign-in.ts";

/** How operators can sign in, besides tokens. */
export interface SignInSettings {
  proxy: ProxySettings | null;
  oidc: OidcSettings | null;
}

const LOCAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** `CLAIM VALUE=ROLE, VALUE=ROLE…` */
const roles = () =>
  z.string().transform((text, context): RoleMapping => {
    const [claim = "", ...rest] = text.trim().split(/\s+/);
    const entries = rest.join(" ").split(",");
    const parsed = entries.map((entry) => /^(.+)=(viewer|operator|admin)$/.exec(entry.trim()));
    if (parsed.every((entry) => entry !== null))
      return { claim, roles: parsed.map(([, value = "", role]) => [value.trim(), role as Role]) };
    context.addIssue({
      code: "custom",
      message:
        "must be a claim, a space and roles by value, such as groups geo-admins=admin, geo-staff=operator, *=viewer",
    });
    return z.NEVER;
  });

/** The variables of signing in to the console, for the portal and standalone. */
export const SIGN_IN_VARIABLES = {
  OPERATOR_HEADER: operatorHeader().optional(),
  OPERATOR_HEADER_SECRET: z.string().min(16, "must have at least 16 characters").optional(),
  OPERATOR_HEADER_ROLE: z.enum(ROLES, `must be one of ${ROLES.join(", ")}`).optional(),
  OIDC_ISSUER: z
    .url("must be the issuer's URL")
    .refine((text) => {
      const { protocol, hostname } = new URL(text);
      return protocol === "https:" || (protocol === "http:" && LOCAL_HOST.test(hostname));
    }, "must be an https: URL")
    .optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_ROLES: roles().optional(),
};

export function signInSettings(env: z.infer<z.ZodObject<typeof SIGN_IN_VARIABLES>>): SignInSettings {
  const { OPERATOR_HEADER: header, OPERATOR_HEADER_SECRET: secret, OPERATOR_HEADER_ROLE: role = null } = env;
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret = null } = env;
  return {
    proxy: header && secret ? { header, secret, role } : null,
    oidc: issuer && clientId ? { issuer, clientId, clientSecret, roles: env.OIDC_ROLES ?? null } : null,
  };
}
