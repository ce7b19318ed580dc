import * as client from "openid-client";
import { counted } from "./format.ts";
import { discover, OIDC_CALLBACK_PATH, type OidcSettings, scopesFor } from "./oidc.ts";

/** What one step found: what is right, or what is wrong and how to change it. Warnings don't stop the check. */
interface Finding {
  state: "ok" | "warning" | "FAIL";
  text: string;
}

const TIMEOUT_MS = 5_000;

/** Checks the settings against the issuer, step by step. @param docsUrl DOCS_URL, which the redirect URI begins with. */
export async function* checkOidc(settings: OidcSettings, docsUrl: string): AsyncGenerator<Finding> {
  const { issuer, clientId, roles } = settings;
  const metadata = yield* checkMetadata(issuer);
  if (metadata === null) return;
  const config = await discover(settings);
  const server = config.serverMetadata();

  const keys = (await read(server.jwks_uri ?? "")).json as { keys?: unknown[] } | null;
  if (!keys?.keys?.length) {
    yield fail(`The issuer's keys at ${server.jwks_uri ?? "jwks_uri, which it doesn't have,"} can't be read.`);
    return;
  }
  yield ok(`The issuer has ${counted(keys.keys.length, "key")} for signatures.`);
  if (server.code_challenge_methods_supported && !server.code_challenge_methods_supported.includes("S256"))
    yield warning("The issuer doesn't list PKCE with S256. Sign-in still uses it, besides state and nonce.");

  const redirectUri = new URL(OIDC_CALLBACK_PATH, docsUrl).href;
  const verifier = client.randomPKCECodeVerifier();
  yield* checkClient(config, settings, redirectUri, verifier);
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: scopesFor(config),
    state: client.randomState(),
    nonce: client.randomNonce(),
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  yield* checkRedirect(url, redirectUri, clientId);
  if (roles === null)
    yield warning("OIDC_ROLES isn't set: only operators that were added with their name can sign in.");
  else {
    const [claim = ""] = roles.claim.split(".");
    const isListed = server.claims_supported?.some((each) => each === claim || each === roles.claim) ?? true;
    yield isListed
      ? ok(`Roles come from the claim ${roles.claim}. A sign-in without a role shows the values of the user's claim.`)
      : warning(
          `The issuer doesn't list the claim ${claim}. Add it to the ID token, or to the user info, of the client ${clientId}.`,
        );
  }
}

async function* checkMetadata(issuer: string): AsyncGenerator<Finding, object | null> {
  const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const { status, json, problem } = await read(address);
  if (problem !== null) {
    yield fail(
      `${address} can't be reached: ${problem}. Check OIDC_ISSUER, DNS, firewalls and the certificate's authority.`,
    );
    return null;
  }
  const metadata = json as { issuer?: string } | null;
  if (typeof metadata?.issuer !== "string") {
    yield fail(
      `${address} returned status ${status} and no metadata. OIDC_ISSUER must be the address before /.well-known, such as https://sso.example.com/realms/NAME with Keycloak.`,
    );
    return null;
  }
  yield ok(`The issuer's metadata is at ${address}.`);
  if (metadata.issuer !== issuer && `${metadata.issuer}` !== new URL(issuer).href) {
    yield fail(`The issuer calls itself ${metadata.issuer}. Set OIDC_ISSUER to exactly that.`);
    return null;
  }
  yield ok(`Its name is OIDC_ISSUER, ${metadata.issuer}.`);
  return metadata;
}

/** Redeems an invalid code: an issuer that knows the client refuses the code, not the client. */
async function* checkClient(
  config: client.Configuration,
  { clientId, clientSecret }: OidcSettings,
  redirectUri: string,
  verifier: string,
): AsyncGenerator<Finding> {
  const back = new URL(redirectUri);
  back.searchParams.set("code", "check-oidc");
  back.searchParams.set("iss", config.serverMetadata().issuer);
  const { error, status, code } = await client
    .authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier })
    .then(
      () => ({ error: "", status: 200, code: "" }),
      (cause: { error?: string; status?: number; code?: string }) => ({ error: "", status: 0, code: "", ...cause }),
    );
  if (error === "invalid_grant")
    return yield ok(`The issuer knows the client ${clientId}${clientSecret === null ? "" : " and its secret"}.`);
  if (error === "invalid_client" || status === 401)
    return yield fail(
      `The issuer refuses the client: ${error || `status ${status}`}. Check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET${clientSecret === null ? ", which isn't set" : ""}.`,
    );
  if (error === "unauthorized_client")
    return yield fail(`The client ${clientId} may not use the authorization code flow. Allow it at the issuer.`);
  yield warning(`The client can't be checked: the issuer answered ${error || code || status}.`);
}

async function* checkRedirect(url: URL, redirectUri: string, clientId: string): AsyncGenerator<Finding> {
  const { status, location, problem } = await read(url.href);
  const returned = location.startsWith(redirectUri) ? new URL(location).searchParams : null;
  const reason = returned?.get("error");
  if (reason)
    yield fail(`The issuer refuses sign-ins of ${clientId}: ${reason}. ${returned?.get("error_description") ?? ""}`);
  else if (problem !== null || status >= 400)
    yield fail(
      `The issuer refuses to start a sign-in (${problem ?? `status ${status}`}). Register exactly this redirect URI for the client: ${redirectUri}`,
    );
  else yield ok(`The issuer starts sign-ins that return to ${redirectUri}.`);
}

async function read(address: string) {
  try {
    const response = await fetch(address, { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await response.text();
    const location = response.headers.get("location") ?? "";
    const json = await Promise.resolve(text)
      .then(JSON.parse)
      .catch(() => null);
    return { status: response.status, location, json: json as unknown, problem: null };
  } catch (error) {
    const { message, cause } = error as Error;
    return { status: 0, location: "", json: null, problem: cause instanceof Error ? cause.message : message };
  }
}

const ok = (text: string): Finding => ({ state: "ok", text });
const warning = (text: string): Finding => ({ state: "warning", text });
const fail = (text: string): Finding => ({ state: "FAIL", text });
