import { expect } from "chai";
import { onEveryConsole } from "../harness/console/console-suite.ts";

const SIGN_IN = "/console/sign-in";
/** Every page that shows or changes something. */
const PAGES = [
  "/console",
  "/console/keys",
  "/console/keys/new",
  "/console/keys/key_000000000000",
  "/console/cluster",
  "/console/data",
];

onEveryConsole("console: access", (console) => {
  it("redirects to the sign-in page unless signed in", async () => {
    for (const path of PAGES) {
      const response = await console().signedOut().get(path);
      expect(response.status, path).to.equal(303);
      expect(response.headers.location).to.equal(`${SIGN_IN}?${new URLSearchParams({ next: path })}`);
    }
    const live = await console().signedOut().get("/console/cluster/events");
    expect(live.status).to.equal(401);
  });

  it("accepts no form unless signed in", async () => {
    for (const path of ["/console/keys/new", "/console/keys/key_000000000000/revoke", "/console/sign-out"]) {
      const response = await console().signedOut().post(path, { kind: "secret", plan: "free" });
      expect([response.status, response.headers.location], path).to.deep.equal([303, SIGN_IN]);
    }
  });

  it("refuses wrong and empty tokens, without a cookie and without echoing the token", async () => {
    for (const token of ["", "a-wrong-token-of-some-length", console().adminToken.slice(1)]) {
      const response = await console().signedOut().post(SIGN_IN, { token });
      expect(response.status).to.equal(403);
      expect(response.headers).to.not.have.property("set-cookie");
      if (token !== "") expect(response.text).to.not.include(token);
    }
    await console().operator();
  });

  it("signs in with the admin token, and sets a cookie for this host only, hidden from scripts", async () => {
    const response = await console().signedOut().post(SIGN_IN, { token: console().adminToken });
    expect([response.status, response.headers.location]).to.deep.equal([303, "/console"]);
    const isTls = console().origin.startsWith("https:");
    const [session = ""] = response.headers["set-cookie"] ?? [];
    expect(session).to.match(isTls ? /^__Host-geolookup-session=/ : /^geolookup-session=/);
    expect(session).to.include("; HttpOnly").and.include("; SameSite=Strict").and.include("; Path=/");
    expect(session).to.not.match(/Domain|Max-Age|Expires/i);
    expect(session.includes("; Secure")).to.equal(isTls);
  });

  it("signs out permanently: the old cookie no longer works", async () => {
    const operator = await console().operator();
    const before = new Map(operator.cookies);
    const response = await operator.submit("/console/sign-out");
    expect([response.status, response.headers.location]).to.deep.equal([303, SIGN_IN]);
    expect([...operator.cookies.keys()].join()).to.not.include("session");
    for (const [name, value] of before) operator.cookies.set(name, value);
    expect((await operator.get("/console/keys")).status).to.equal(303);
  });

  it("starts a new session with each sign-in, whatever cookie was sent (fixation)", async () => {
    const first = await console().operator();
    const before = new Map(first.cookies);
    await first.signIn();
    const names = [...before.keys()].filter((name) => name.includes("session"));
    expect(names).to.have.length(1);
    for (const name of names) expect(first.cookies.get(name)).to.not.equal(before.get(name));
    const planted = console().signedOut();
    planted.cookies.set("geolookup-session", "planted");
    planted.cookies.set("__Host-geolookup-session", "planted");
    await planted.signIn();
    expect([...planted.cookies.values()].filter((value) => value === "planted")).to.have.length.below(2);
    // Signing in again has ended this session.
    const old = console().signedOut();
    for (const [name, value] of before) old.cookies.set(name, value);
    expect((await old.get("/console/keys")).status).to.equal(303);
  });

  it("only redirects to its own pages after signing in (open redirect)", async () => {
    const client = console().signedOut();
    for (const [next, location] of [
      ["/console/keys?search=a+b&after=key_1", "/console/keys?search=a+b&after=key_1"],
      ["/console/cluster", "/console/cluster"],
      ["https://evil.test/", "/console"],
      ["//evil.test/console", "/console"],
      ["/\\evil.test", "/console"],
      ["/console/../../evil", "/console"],
      ["/console//evil.test", "/console"],
      ["/console@evil.test", "/console"],
      ["/consoles", "/console"],
      ["/console\r\nSet-Cookie: a=b", "/console"],
      ["/console/keys\n", "/console"],
      ["javascript:alert(1)", "/console"],
      ["/console/sign-out", "/console"],
    ]) {
      const response = await client.post(SIGN_IN, { token: console().adminToken, next: next ?? "" });
      expect([response.status, response.headers.location], next).to.deep.equal([303, location]);
      expect(response.headers["set-cookie"]?.join()).to.not.include("a=b");
    }
  });
});
