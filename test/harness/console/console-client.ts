import type { Answer, Sent } from "../http.ts";

/** A console as a browser reaches it: at its own address, or at the docs host of a gateway. */
export interface ConsoleTarget {
  /** Of its pages, as DOCS_URL says. */
  origin: string;
  adminToken: string;
  send(sent: Sent): Promise<Answer>;
}

type Fields = Readonly<Record<string, string>>;

/** What a browser does with a console: keeps its cookies, names the origin of its forms. */
export interface ConsoleClient {
  cookies: Map<string, string>;
  get(path: string, headers?: Sent["headers"]): Promise<Answer>;
  /** Sends a form; the headers replace the browser's own. */
  post(path: string, fields: Fields, headers?: Sent["headers"]): Promise<Answer>;
  /** Sends a form that has the session's token in it. */
  submit(path: string, fields?: Fields): Promise<Answer>;
  /** Changes a label, plan or origins as the form on the key's page does. */
  saveSetting(keyId: string, setting: string, value: string): Promise<Answer>;
  /** @throws Error when it is refused */
  signIn(): Promise<void>;
  /** The token that the session's forms carry. */
  formToken(): Promise<string>;
}

export function consoleClient({ origin, adminToken, send }: ConsoleTarget): ConsoleClient {
  const cookies = new Map<string, string>();
  const ask = async (sent: Sent & { headers: NonNullable<Sent["headers"]> }) => {
    const held =
      cookies.size === 0 ? {} : { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") };
    const answer = await send({ ...sent, headers: { ...held, ...sent.headers } });
    for (const line of answer.headers["set-cookie"] ?? []) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/; Max-Age=0|Expires=Thu, 01 Jan 1970/.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  const get = (path: string, headers: Sent["headers"] = {}) => ask({ path, headers });
  const post = (path: string, fields: Fields, headers: Sent["headers"] = {}) =>
    ask({
      method: "POST",
      path,
      headers: { Origin: origin, "Content-Type": "application/x-www-form-urlencoded", ...headers },
      body: new URLSearchParams(fields).toString(),
    });
  const formToken = async () => {
    const { text } = await get("/console/keys");
    const [, token] = /name="form_token" value="([\w-]+)"/.exec(text) ?? [];
    if (token === undefined) throw new Error(`no form of a session in:\n${text.slice(0, 500)}`);
    return token;
  };
  const submit: ConsoleClient["submit"] = async (path, fields = {}) =>
    post(path, { form_token: await formToken(), ...fields });
  return {
    cookies,
    get,
    post,
    formToken,
    submit,
    async saveSetting(keyId, setting, value) {
      const path = `/console/keys/${keyId}`;
      return submit(`${path}/${setting}`, { version: shownVersion((await get(path)).text), [setting]: value });
    },
    async signIn() {
      const answer = await post("/console/sign-in", { token: adminToken });
      if (answer.status !== 303) throw new Error(`signing in was answered with ${answer.status}`);
    },
  };
}

/** The version of the key that a page's forms are for. @throws Error when it has none */
export function shownVersion(page: string): string {
  const [, version] = /name="version" value="(\d+)"/.exec(page) ?? [];
  if (version === undefined) throw new Error(`no form for a version of a key in:\n${page.slice(0, 500)}`);
  return version;
}
