import { expect } from "chai";
import { onEveryConsole } from "../harness/console/console-suite.ts";

const FORM = { kind: "secret", plan: "free", label: "forged", origins: "" };

onEveryConsole("console: forged forms", (console) => {
  const forgedKeys = async () => {
    const { text } = await (await console().operator()).get("/console/keys?search=forged");
    return /No keys match/.test(text) ? 0 : 1;
  };

  for (const origin of ["https://evil.test", "null", "", "http://docs.localhost.evil.test", "http://127.0.0.1"])
    it(`refuses forms from ${JSON.stringify(origin)}, including sign-in`, async () => {
      const operator = await console().operator();
      const fields = { ...FORM, form_token: await operator.formToken() };
      for (const path of ["/console/keys/new", "/console/sign-in", "/console/sign-out"]) {
        const sent = path === "/console/sign-in" ? { token: console().adminToken } : fields;
        const response = await operator.post(path, sent, { Origin: origin });
        expect(response.status, path).to.equal(403);
        expect(response.headers).to.not.have.property("set-cookie");
      }
      expect(await forgedKeys()).to.equal(0);
    });

  it("accepts forms from its own host with a dot at the end", async () => {
    const { protocol, hostname, port } = new URL(console().origin);
    const origin = `${protocol}//${hostname}.${port && `:${port}`}`;
    const response = await console()
      .signedOut()
      .post("/console/sign-in", { token: console().adminToken }, { Origin: origin });
    expect([response.status, response.headers.location]).to.deep.equal([303, "/console"]);
  });

  it("refuses forms without an Origin header, and with two of them", async () => {
    const operator = await console().operator();
    const body = new URLSearchParams({ ...FORM, form_token: await operator.formToken() }).toString();
    const cookie = operator.cookieHeader();
    const type = "application/x-www-form-urlencoded";
    for (const headers of [{}, { Origin: [console().origin, "https://evil.test"] }]) {
      const response = await console().send({
        method: "POST",
        path: "/console/keys/new",
        headers: { Cookie: cookie, "Content-Type": type, ...headers },
        body,
      });
      expect(response.status).to.equal(403);
    }
    expect(await forgedKeys()).to.equal(0);
  });

  it("refuses forms without a form token, and with that of another session", async () => {
    const operator = await console().operator();
    const other = await console().operator();
    for (const token of ["", "x", await other.formToken()]) {
      const response = await operator.post("/console/keys/new", { ...FORM, form_token: token });
      expect(response.status).to.equal(403);
      expect((await operator.post("/console/sign-out", { form_token: token })).status).to.equal(403);
    }
    expect((await operator.get("/console/keys")).status).to.equal(200);
    expect(await forgedKeys()).to.equal(0);
  });

  it("changes nothing on GET, or when a header or field overrides the method", async () => {
    const operator = await console().operator();
    const token = await operator.formToken();
    const query = new URLSearchParams({ ...FORM, form_token: token, _method: "POST" });
    await operator.get(`/console/keys/new?${query}`, { "X-HTTP-Method-Override": "POST", "X-Method-Override": "POST" });
    expect((await operator.get(`/console/sign-out?${query}`)).status).to.equal(404);
    expect((await operator.get("/console/keys")).status).to.equal(200);
    expect(await forgedKeys()).to.equal(0);
    for (const method of ["PUT", "PATCH", "DELETE", "PROPFIND"]) {
      const response = await console().send({ method, path: "/console/keys/new" });
      expect([response.status, response.headers.allow], method).to.deep.equal([405, "GET, HEAD, POST"]);
    }
  });

  it("refuses bodies that aren't forms, are too large, or repeat a field", async () => {
    const operator = await console().operator();
    const token = await operator.formToken();
    for (const [type, body, status] of [
      ["application/json", JSON.stringify({ ...FORM, form_token: token }), 415],
      ["text/plain", `form_token=${token}`, 415],
      ["multipart/form-data; boundary=a", "--a--", 415],
      ["application/x-www-form-urlencoded; charset=utf-7", `form_token=${token}`, 415],
      ["application/x-www-form-urlencoded", `form_token=${token}&label=${"x".repeat(300_000)}`, 413],
      ["application/x-www-form-urlencoded", `form_token=${token}&form_token=${token}&kind=secret&plan=free`, 400],
      ["application/x-www-form-urlencoded", `form_token=${token}&kind=secret&kind=publishable&plan=free`, 400],
      ["application/x-www-form-urlencoded", "%%%&=&&form_token", 403],
      ["application/x-www-form-urlencoded", "", 403],
    ] as const) {
      const cookie = operator.cookieHeader();
      const response = await console().send({
        method: "POST",
        path: "/console/keys/new",
        headers: { Cookie: cookie, Origin: console().origin, "Content-Type": type },
        body,
      });
      expect(response.status, `${type} ${body.slice(0, 40)}`).to.equal(status);
      expect(response.headers["content-type"]).to.equal("text/html; charset=utf-8");
    }
    const large = await console()
      .signedOut()
      .post("/console/sign-in", { token: "x".repeat(10_000) });
    expect(large.status).to.equal(413);
    expect((await operator.get("/console/keys")).status).to.equal(200);
  });
});
