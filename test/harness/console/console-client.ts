import type { HttpResponse, Sent } from "../http.ts";

/** The console as browsers reach it: at the portal, or at the docs host of a gateway. */
export interface ConsoleTarget {
  /** The origin of its pages, from DOCS_URL. */
  origin: string;
  adminToken: string;
  send(sent: Sent): Promise<HttpResponse>;
}

/** An array is a repeated field, such as checkboxes. */
type Fields = Readonly<Record<string, string | readonly string[]>>;

/** Acts like a browser: keeps cookies and sends the origin with forms. */
export interface ConsoleClient {
  cookies: Map<string, string>;
  /** The cookies as a header's value. */
  cookieHeader(): string;
  get(path: string, headers?: Sent["headers"]): Promise<HttpResponse>;
  /** Submits a form; `headers` override those of the browser. */
  post(path: string, fields: Fields, headers?: Sent["headers"]): Promise<HttpResponse>;
  /** Submits a form with the session's form token. */
  submit(path: string, fields?: Fields): Promise<HttpResponse>;
  /** Submits the form on the key's page, with changes of its label, plan or origins. */
  saveSettings(keyId: string, changes: Readonly<Record<string, string>>): Promise<HttpResponse>;
  /** @throws Error if it is refused */
  signIn(): Promise<void>;
  /** The form token of the session. */
  formToken(): Promise<string>;
}

function formText(fields: Fields): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) for (const each of [value].flat()) form.append(name, each);
  return form.toString();
}

export function consoleClient({ origin, adminToken, send }: ConsoleTarget): ConsoleClient {
  const cookies = new Map<string, string>();
  const cookieHeader = () => Array.from(cookies, ([name, value]) => `${name}=${value}`).join("; ");
  const request = async (sent: Sent & { headers: NonNullable<Sent["headers"]> }) => {
    const held = cookies.size === 0 ? {} : { Cookie: cookieHeader() };
    const response = await send({ ...sent, headers: { ...held, ...sent.headers } });
    for (const line of response.headers["set-cookie"] ?? []) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/; Max-Age=0|Expires=Thu, 01 Jan 1970/.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  const get = (path: string, headers: Sent["headers"] = {}) => request({ path, headers });
  const post = (path: string, fields: Fields, headers: Sent["headers"] = {}) =>
    request({
      method: "POST",
      path,
      headers: { Origin: origin, "Content-Type": "application/x-www-form-urlencoded", ...headers },
      body: formText(fields),
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
    cookieHeader,
    get,
    post,
    formToken,
    submit,
    async saveSettings(keyId, changes) {
      const path = `/console/keys/${keyId}`;
      return post(`${path}/settings`, { ...shownFields((await get(path)).text, "stacked"), ...changes });
    },
    async signIn() {
      const response = await post("/console/sign-in", { token: adminToken });
      if (response.status !== 303) throw new Error(`signing in got status ${response.status}`);
    },
  };
}

/** The key version in a page's forms. @throws Error if there is none */
export function shownVersion(page: string): string {
  const [, version] = /name="version" value="(\d+)"/.exec(page) ?? [];
  if (version === undefined) throw new Error(`no form for a version of a key in:\n${page.slice(0, 500)}`);
  return version;
}

const FIELD =
  /<input[^>]* name="([\w-]+)"[^>]* value="([^"]*)"|<textarea[^>]* name="([\w-]+)"[^>]*>([^<]*)|<select[^>]* name="([\w-]+)".*?<option selected>([^<]*)/gs;

/** The fields of a page's first form inside or with this class, as a browser sends them. */
export function shownFields(page: string, className: string): Record<string, string> {
  const [form = ""] = new RegExp(`class="${className}".*?</form>`, "s").exec(page) ?? [];
  const fields = Array.from(form.matchAll(FIELD), (match) => match.slice(1).filter((each) => each !== undefined));
  const plain = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  return Object.fromEntries(fields.map(([name, value = ""]) => [name, plain(value)]));
}
