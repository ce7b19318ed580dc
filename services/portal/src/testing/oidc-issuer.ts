import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

export const CLIENT = { clientId: "geolookup", clientSecret: "secret-of-the-client" };
type Claims = Record<string, unknown>;
/** A changed ID token: its parts before the signature, and the key that signs it, a secret one with HMAC. */
type Forgery = (header: Claims, claims: Claims) => { header: Claims; claims: Claims; key: KeyObject | null };

const key = (kid: string) => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { privateKey, jwk: { ...privateKey.export({ format: "jwk" }), kid, alg: "RS256", use: "sig" } };
};
/** Of every issuer: a key takes long to make. */
const SIGNING = key("signing");
export const OTHER_KEY = key("other").privateKey;

/** A free port, where oidc-provider serves once its client is known. Its users sign in without a password. */
export async function openIssuer() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey, jwk } = SIGNING;
  const forged: { forgery: Forgery | null } = { forgery: null };
  /** @param claims of every user */
  const serve = (redirectUri: string, claims: Claims) => {
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT.clientId,
          client_secret: CLIENT.clientSecret,
          redirect_uris: [redirectUri],
          response_types: ["code"],
          grant_types: ["authorization_code"],
        },
      ],
      jwks: { keys: [jwk] },
      cookies: { keys: ["a key for cookies"] },
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["groups"] },
      findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, ...claims }) }),
      ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    });
    provider.use(async (context, next) => {
      await next();
      const body = context.body as { id_token?: string } | undefined;
      if (context.path !== "/token" || !body?.id_token || forged.forgery === null) return;
      const [header = {}, payload = {}] = body.id_token
        .split(".")
        .slice(0, 2)
        .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()) as Claims);
      const changed = forged.forgery(header, payload);
      const text = [changed.header, changed.claims]
        .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
        .join(".");
      context.body = { ...body, id_token: `${text}.${signatureOf(text, changed.key)}` };
    });
    server.on("request", provider.callback());
  };
  return {
    issuer,
    serve,
    /** The key that signs its tokens. */
    key: privateKey,
    /** The one that checks them, which anyone can fetch. */
    publicKey: createPublicKey(privateKey),
    /** Changes every ID token from now on. */
    forge: (forgery: Forgery) => {
      forged.forgery = forgery;
    },
    async [Symbol.asyncDispose]() {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function signatureOf(text: string, key: KeyObject | null): string {
  if (key === null) return "";
  if (key.type === "secret") return createHmac("sha256", key).update(text).digest("base64url");
  return sign("sha256", Buffer.from(text), key).toString("base64url");
}

/** Signs a user in at the issuer as a browser would. @returns the address at which the browser returns */
export async function signInAtIssuer(url: string, login: string): Promise<URL> {
  const cookies = new Map<string, string>();
  const visit = async (at: string, init: RequestInit = {}) => {
    const Cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(at, { ...init, redirect: "manual", headers: { Cookie, ...init.headers } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return response;
  };
  const { origin } = new URL(url);
  let response = await visit(url);
  for (let steps = 0; steps < 20; steps += 1) {
    const location = response.headers.get("location");
    if (location !== null) {
      const next = new URL(location, origin);
      if (next.origin !== origin) return next;
      response = await visit(next.href);
      continue;
    }
    const text = await response.text();
    const [, action = ""] = /<form[^>]* action="([^"]+)"/.exec(text) ?? [];
    const [, prompt = ""] = /name="prompt" value="(\w+)"/.exec(text) ?? [];
    if (action === "") throw new Error(`no form at the issuer, status ${response.status}:\n${text.slice(0, 500)}`);
    response = await visit(new URL(action, origin).href, {
      method: "POST",
      body: new URLSearchParams({ prompt, login, password: "any" }),
    });
  }
  throw new Error("the issuer doesn't lead back");
}
