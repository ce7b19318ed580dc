import { createHash } from "node:crypto";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { includesRole, type Role } from "@geolookup/shared/domain/operators.ts";
import type { Configuration } from "openid-client";
import { operatorName } from "./sessions.ts";

/** An OpenID Connect issuer, and this deployment as its client. */
export interface OidcSettings {
  /** Exactly as the issuer writes it. */
  issuer: string;
  clientId: string;
  /** Null: a public client. */
  clientSecret: string | null;
  /** Null: only operators that were added can sign in, with their own roles. */
  roles: RoleMapping | null;
}

/** Roles by the values of a claim. `*` is any value, and no value. */
export interface RoleMapping {
  claim: string;
  roles: readonly (readonly [value: string, role: Role])[];
}

/** What the response of the issuer is checked against. The browser keeps it, signed, in a cookie. */
export interface OidcChecks {
  state: string;
  nonce: string;
  verifier: string;
}

/** The user whom an issuer has signed in. */
export interface OidcUser {
  name: string;
  /** Null: none by OIDC_ROLES. */
  role: Role | null;
  /** The values of the claim in OIDC_ROLES. */
  values: readonly string[];
}

/** A sign-in that failed, for the page that says so. `cause` is for the log. */
export class OidcError extends Error {
  /** Whether the issuer, or what it sent, was refused, rather than unreachable or badly set up. */
  readonly isRefusal: boolean;

  constructor(message: string, isRefusal: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isRefusal = isRefusal;
  }
}

/** Signs users in at an issuer: authorization code flow with PKCE, state and nonce. Both throw OidcError. */
export interface OpenIdConnect {
  /** Of its settings: changes with the issuer, the client and the roles. */
  version: number;
  /** Where to send the browser, and the checks of its return. */
  start(redirectUri: string): Promise<{ url: string; checks: OidcChecks }>;
  /** @param callback the address with which the browser returned. */
  finish(callback: URL, checks: OidcChecks): Promise<OidcUser>;
}

/** Where browsers return, on the docs host. */
export const OIDC_CALLBACK_PATH = "/console/sign-in/oidc/callback";
const TIMEOUT_SECONDS = 3;
/** Issuers change their endpoints rarely. */
const DISCOVERY_MS = 3_600_000;

export function createOpenIdConnect(settings: OidcSettings, clock: Clock): OpenIdConnect {
  let discovered: { found: Promise<Configuration>; untilMs: number } | undefined;
  const configuration = () => {
    if (discovered === undefined || clock() >= discovered.untilMs) {
      discovered = { found: discover(settings), untilMs: clock() + DISCOVERY_MS };
      // The next sign-in tries again.
      discovered.found.catch(() => (discovered = undefined));
    }
    return discovered.found;
  };
  const { issuer, clientId, roles } = settings;
  const hash = createHash("sha256").update(JSON.stringify([issuer, clientId, roles]));
  return {
    version: hash.digest().readUIntBE(0, 6),
    start: (redirectUri) =>
      explained(async () => {
        const client = await import("openid-client");
        const config = await configuration();
        const checks = {
          state: client.randomState(),
          nonce: client.randomNonce(),
          verifier: client.randomPKCECodeVerifier(),
        };
        const url = client.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: scopesFor(config),
          state: checks.state,
          nonce: checks.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
          code_challenge_method: "S256",
        });
        return { url: url.href, checks };
      }),
    finish: (callback, { state, nonce, verifier }) =>
      explained(async () => {
        const client = await import("openid-client");
        const config = await configuration();
        const tokens = await client.authorizationCodeGrant(config, callback, {
          ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new Error("no ID token");
        const isMissing = settings.roles !== null && claimValues(claims, settings.roles.claim).length === 0;
        if (!isMissing || config.serverMetadata().userinfo_endpoint === undefined)
          return userOf(claims, settings.roles);
        const more = await client.fetchUserInfo(config, tokens.access_token, claims.sub);
        return userOf({ ...more, ...claims }, settings.roles);
      }),
  };
}

/** Reads an issuer's metadata. The signature of every ID token is checked, although it arrives over TLS. */
export async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const client = await import("openid-client");
  const isInsecure = issuer.startsWith("http:");
  const found = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
    timeout: TIMEOUT_SECONDS,
    execute: isInsecure ? [client.allowInsecureRequests] : [],
  });
  const server = found.serverMetadata();
  // The default of the specification is client_secret_basic.
  const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const authentication =
    clientSecret === null
      ? client.None()
      : methods.includes("client_secret_basic")
        ? client.ClientSecretBasic(clientSecret)
        : client.ClientSecretPost(clientSecret);
  const config = new client.Configuration(server, clientId, clientSecret ?? undefined, authentication);
  config.timeout = TIMEOUT_SECONDS;
  if (isInsecure) client.allowInsecureRequests(config);
  client.enableNonRepudiationChecks(config);
  return config;
}

/** What is asked for. Some issuers send groups only for a scope of that name, others refuse it. */
export function scopesFor(config: Configuration): string {
  const more = config.serverMetadata().scopes_supported?.includes("groups") ? " groups" : "";
  return `openid email profile${more}`;
}

type Claims = Readonly<Record<string, unknown>>;

/**
 * A user's name (the email address if the issuer has verified it, or else the subject) and role. At some issuers, users can set any email
 * address, such as an operator's.
 * @throws OidcError if the name can't be an operator's.
 */
export function userOf(claims: Claims, mapping: RoleMapping | null): OidcUser {
  const { email, email_verified: isVerified, sub } = claims;
  // Some issuers write it as text.
  const id = typeof email === "string" && String(isVerified) === "true" ? email : String(sub);
  const name = operatorName(id);
  if (name === null)
    throw new OidcError(`${JSON.stringify(id)} can't be the name of an operator: up to 64 of a-z, 0-9 and ._@-.`, true);
  if (mapping === null) return { name, role: null, values: [] };
  const values = claimValues(claims, mapping.claim);
  const granted = mapping.roles.filter(([value]) => value === "*" || values.includes(value)).map(([, role]) => role);
  const role = granted.reduce<Role | null>((best, each) => (best && includesRole(best, each) ? best : each), null);
  return { name, role, values };
}

/** The values of a claim, which can be inside others: `realm_access.roles`. */
function claimValues(claims: Claims, claim: string): string[] {
  const inside = (value: unknown, name: string) => (value as Claims | undefined | null)?.[name];
  const value = claims[claim] ?? claim.split(".").reduce<unknown>(inside, claims);
  return [value].flat().filter((each) => typeof each === "string");
}

/** Turns errors of the library into what an operator can do about them. */
async function explained<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof OidcError) throw error;
    const { name, code = "", error: reason = "" } = error as { name?: string; code?: string; error?: string };
    if (name === "AuthorizationResponseError")
      throw new OidcError(`The issuer refused to sign you in: ${reason}.`, true, { cause: error });
    const isRefusal = /^OAUTH_(?:INVALID_RESPONSE|JWT_|KEY_SELECTION|UNSUPPORTED)/.test(code);
    const message = isRefusal
      ? "The issuer's response isn't valid for this sign-in. Try again."
      : "The issuer isn't responding, or isn't set up for this console. An admin can run ./geolookup operators check-oidc.";
    throw new OidcError(message, isRefusal, { cause: error });
  }
}
