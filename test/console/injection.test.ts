import { expect } from "chai";
import type { ConsoleClient } from "../harness/console/console-client.ts";
import { onEveryConsole } from "../harness/console/console-suite.ts";

const MARKUP = `"><img src=x onerror=alert(1)><script>alert(1)</script>'`;
const HEADER = "x\r\nSet-Cookie: planted=1\r\n\r\n<b>";

onEveryConsole("console: injection", (console) => {
  let operator: ConsoleClient;
  before(async () => {
    operator = await console().operator();
  });

  /** Issues a key through the console's form. */
  async function issue(fields: Record<string, string> = {}) {
    const page = await operator.get("/console/keys/new");
    const nonce = /name="once" value="([\w-]+)"/.exec(page.text)?.[1] ?? "";
    const form = { kind: "publishable", plan: "free", label: "", origins: "", once: nonce };
    const response = await operator.submit("/console/keys/new", { ...form, ...fields });
    const keyId = /href="\/console\/keys\/(key_\w+)"/.exec(response.text)?.[1] ?? "";
    return { response, keyId, nonce };
  }

  const expectHarmless = (text: string, what: string) => {
    expect(text, what).to.not.include("<img src=x").and.not.include("<script>").and.not.include("<b>");
    expect(text, what).to.not.match(/<script(?! type="module" src="\/)|<style| style="|javascript:| on[a-z]+="/i);
  };

  it("shows markup in a label or a reason as text everywhere", async () => {
    const { response, keyId } = await issue({ label: MARKUP });
    expect(response.status).to.equal(200);
    expectHarmless(response.text, "the new key");
    expect((await operator.submit(`/console/keys/${keyId}/revoke`, { reason: MARKUP })).status).to.equal(303);
    for (const path of ["", "/revoke"])
      expectHarmless((await operator.get(`/console/keys/${keyId}${path}`)).text, path);
    const page = await operator.get(`/console/keys/${keyId}`);
    expect(page.text.split("&#60;img src=x onerror=alert(1)&#62;")).to.have.length.above(4);
    expectHarmless((await operator.get(`/console/keys?search=${encodeURIComponent("<img")}`)).text, "the list");
  });

  it("refuses origins with markup, and shows all input as text", async () => {
    const { keyId } = await issue({ label: "origins with markup" });
    for (const origins of [MARKUP, `https://a.test/${MARKUP}`, `https://<b>.test`, HEADER]) {
      const refused = await operator.saveSettings(keyId, { origins });
      expect([refused.status, refused.headers["set-cookie"]], origins).to.deep.equal([400, undefined]);
      expectHarmless(refused.text, origins);
      const form = await issue({ label: MARKUP, origins, plan: MARKUP, kind: MARKUP });
      expect(form.response.status).to.equal(400);
      expectHarmless(form.response.text, origins);
    }
    expect((await operator.get(`/console/keys/${keyId}`)).text).to.not.include("Origins changed");
  });

  it("reflects no markup from a URL, and puts nothing from it into a header", async () => {
    for (const value of [MARKUP, HEADER]) {
      const text = encodeURIComponent(value);
      for (const path of [
        `/console/keys?search=${text}&kind=${text}&plan=${text}&status=${text}&after=${text}`,
        `/console/keys?search=${text}&plan=${text}`,
        `/console/keys/${text}`,
        `/console/keys/${text}/usage.csv`,
        `/console/keys/key_0/${text}`,
        `/console/${text}`,
        `/console/sign-in?next=${text}`,
      ]) {
        const response = await operator.get(path);
        expectHarmless(response.text, path);
        expect(response.headers["set-cookie"]?.join() ?? "", path).to.not.include("planted");
        expect(response.status, path).to.be.below(500);
      }
    }
    for (const change of ["plan", "label", "revoke", "constructor", "__proto__"]) {
      const response = await operator.submit(`/console/keys/${encodeURIComponent(HEADER)}/${change}`);
      expect(response.status, change).to.equal(404);
    }
    expect((await operator.get("/console/%zz")).status).to.equal(404);
  });

  it("refuses control characters in a label and a reason", async () => {
    const { keyId } = await issue({ label: "control characters" });
    for (const setting of ["label", "plan"])
      expect((await operator.saveSettings(keyId, { [setting]: HEADER })).status, setting).to.equal(400);
    expect((await operator.submit(`/console/keys/${keyId}/revoke`, { reason: HEADER })).status).to.equal(400);
    expect((await operator.get(`/console/keys/${keyId}`)).text).to.include(">active<");
  });

  it("issues one key per form, however often it is submitted, and shows the full key only once", async () => {
    const label = `once ${Math.random().toString(36).slice(2)}`;
    const { response, keyId, nonce } = await issue({ label });
    const [, key = "no key"] = /<pre id="issued-key">(\w+)<\/pre>/.exec(response.text) ?? [];
    const again = await issue({ label, once: nonce });
    expect(again.response.status).to.equal(409);
    const list = await operator.get(`/console/keys?search=${encodeURIComponent(label)}`);
    expect(list.text.match(/<th scope="row">/g)).to.have.length(1);
    for (const path of ["/console/keys", `/console/keys/${keyId}`, `/console/keys/${keyId}/usage.csv`])
      expect((await operator.get(path)).text, path).to.not.include(key);
  });

  it("sends every page with headers against framing, caching and access by other sites", async () => {
    const { keyId } = await issue({ label: "headers" });
    for (const path of [
      "/console/keys",
      `/console/keys/${keyId}`,
      "/console/sign-in",
      "/console/nowhere",
      "/console",
    ]) {
      const { headers } = await operator.get(path);
      expect(headers["content-security-policy"], path)
        .to.include("default-src 'none'")
        .and.include("frame-ancestors 'none'")
        .and.include("script-src 'self'")
        .and.include("form-action 'self'")
        .and.not.include("unsafe");
      expect(headers["x-frame-options"]).to.equal("DENY");
      expect(headers["cache-control"]).to.equal("no-store");
      expect(headers["x-content-type-options"]).to.equal("nosniff");
      expect(headers["referrer-policy"]).to.equal("same-origin");
      expect(headers).to.not.have.property("access-control-allow-origin");
    }
  });
});
