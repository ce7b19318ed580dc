import type { ClusterParts } from "../harness/cluster-parts.ts";
import { consoleClient } from "../harness/console/console-client.ts";
import { type HttpResponse, type Sent, send } from "../harness/http.ts";

const PROXY_SECRET = "a-secret-of-the-proxy-in-front";
/** Settings that open every door to a cluster's keys on its docs host. */
export const DOORS = {
  ADMIN_API_ON_DOCS_HOST: "on",
  AUDIT_LOG: "stdout",
  SELF_SERVICE: "rotate",
  OPERATOR_HEADER: "X-Forwarded-Email",
  OPERATOR_HEADER_FROM: "127.0.0.1",
  OPERATOR_HEADER_SECRET: PROXY_SECRET,
};

const FORM = "application/x-www-form-urlencoded";
/** Keys and tokens in a response. */
const SECRET = /geo_(?:[ps]k_[0-9A-Za-z]{26,}_[0-9A-Za-z]{22}|op_[0-9A-Za-z]{40})/g;

/**
 * Does what customers and operators do, from one address, through a gateway: at /account, /admin/v1 and in the console, signed in with a
 * token and by a proxy.
 * @param run makes names unique.
 * @param customerKey a secret key.
 * @param isWhole whether everything must succeed.
 * @returns what must not be found at rest: keys, tokens, cookies, the proxy's secret.
 * @throws Error if something fails that must succeed.
 */
export async function operate(
  { gatewayUrls: [url = ""], adminToken }: ClusterParts,
  from: string,
  { run, customerKey, isWhole }: { run: string; customerKey: string; isWhole: boolean },
): Promise<string[]> {
  const host = `docs.localhost:${new URL(url).port}`;
  const secrets = new Set([PROXY_SECRET, customerKey]);
  const sendFrom = async (sent: Sent) => {
    const response = await send(url, { host, ...sent, headers: { "X-Forwarded-For": from, ...sent.headers } });
    for (const [found] of response.text.matchAll(SECRET)) secrets.add(found);
    return response;
  };
  const succeeds = ({ status, text }: HttpResponse, expected: number) => {
    if (isWhole && status !== expected) throw new Error(`status ${status}, not ${expected}:\n${text}`);
    return new RegExp(SECRET).exec(text)?.[0] ?? "none";
  };

  const account = (path: string, fields: Record<string, string>) =>
    sendFrom({ method: "POST", path, headers: { "Content-Type": FORM }, body: new URLSearchParams(fields).toString() });
  succeeds(await sendFrom({ path: "/account" }), 200);
  for (const key of [from, `${customerKey}x`]) await account("/account", { key });
  succeeds(await account("/account", { key: customerKey }), 200);
  const successor = succeeds(await account("/account/rotate", { key: customerKey, overlap: "86400" }), 200);

  const api = (method: string, path: string, body?: object, token = adminToken) =>
    sendFrom({
      method,
      path: `/admin/v1${path}`,
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/json",
        ...(method === "POST" && { "Idempotency-Key": `${run}-${path}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  const keyIdIn = ({ text }: HttpResponse) => /key_\w+/.exec(text)?.[0] ?? "none";
  const issue = { kind: "secret", plan: "paid", label: run };
  // Concurrently, at the stream of a cluster: it is issued once.
  const sent = await Promise.all([1, 2, 3].map(() => api("POST", "/keys", issue)));
  const [issued = sent[0], ...others] = sent.filter(({ text }) => text.includes('"key":'));
  if (issued === undefined || others.length > 0) throw new Error("the key was issued several times");
  const key = succeeds(issued, 201);
  const { text } = await api("POST", "/keys", issue);
  if (isWhole && !text.includes('"replayed":true')) throw new Error(`not replayed: ${text}`);
  succeeds(await api("POST", `/keys/${keyIdIn(issued)}/rotate`, { overlap: "1h" }), 201);
  succeeds(await api("POST", "/keys/find", { texts: [key, from] }), 200);
  for (const text of [key, from]) await api("GET", `/keys?search=${encodeURIComponent(text)}`);
  const token = succeeds(await api("POST", "/operators", { name: run, role: "operator" }), 201);
  succeeds(await api("GET", "/audit", undefined, token), 200);
  for (const wrong of [from, `${token}x`]) await api("GET", "/audit", undefined, wrong);

  const console = (token: string, headers: Sent["headers"] = {}) =>
    consoleClient({
      origin: `http://${host}`,
      adminToken: token,
      send: (sent) => sendFrom({ ...sent, headers: { ...headers, ...sent.headers } }),
    });
  const [byToken, byProxy] = [
    console(token),
    console("", { "X-Forwarded-Email": run, "X-Operator-Secret": PROXY_SECRET }),
  ];
  for (const wrong of [from, `${token}x`]) await byToken.post("/console/sign-in", { token: wrong });
  await console("", { "X-Forwarded-Email": run, "X-Operator-Secret": token }).get("/console");
  if (!isWhole) {
    await byToken.post("/console/sign-in", { token });
    await byProxy.get("/console");
    return [...secrets];
  }
  await byToken.signIn();
  for (const client of [byToken, byProxy]) {
    const at = client === byToken ? "token" : "proxy";
    const once = /name="once" value="([\w-]+)"/.exec((await client.get("/console/keys/new")).text)?.[1] ?? "";
    const fields = { once, kind: "secret", plan: "paid", label: `${run} ${at}`, origins: "" };
    const page = await client.submit("/console/keys/new", fields);
    const secret = succeeds(page, 200);
    const path = `/console/keys/${keyIdIn(page)}`;
    succeeds(await client.submit(`${path}/rotate`, { overlap: "86400" }), 200);
    succeeds(await client.submit(`${path}/disable`, { reason: "test" }), 303);
    const customer = { id: `${run}-${at}`, name: "", plan: "paid", monthlyRequests: "" };
    succeeds(await client.submit("/console/customers/new", customer), 303);
    await client.submit("/console/address", { address: from });
    for (const text of [secret, successor, from]) await client.submit("/console/keys/search", { search: text });
    succeeds(await client.get("/console/audit"), 200);
    for (const cookie of client.cookies.values()) secrets.add(cookie);
  }
  return [...secrets];
}
