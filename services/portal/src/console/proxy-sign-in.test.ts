import { randomBytes } from "node:crypto";
import { expect } from "chai";
import { openEventStream } from "../../../../test/harness/console/event-stream.ts";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { ADMIN_TOKEN, openConsoleWithAuth } from "../testing/console-with-auth.ts";
import { createSessions } from "./sessions.ts";

const SECRET = "a-secret-of-the-proxy";
const by = (name: string, secret = SECRET) => ({ "X-Forwarded-Email": name, "X-Operator-Secret": secret });

describe("signing in by a proxy", () => {
  let opened: Awaited<ReturnType<typeof openConsoleWithAuth>>;
  const open = async (role: "viewer" | null) => {
    opened = await openConsoleWithAuth({ proxy: { header: "x-forwarded-email", secret: SECRET, role } });
  };
  afterEach(() => opened[Symbol.asyncDispose]());

  it("signs in operators that were added, with their own roles, once", async () => {
    await open(null);
    const client = opened.browser();
    for (const path of ["/console/keys/new", "/console/keys"]) {
      const { status, text } = await client.get(path, by("Otto"));
      expect([status, text.includes('<span class="who">otto</span>')], path).to.deep.equal([200, true]);
      expect(text).to.not.include("Sign out");
    }
    await waitFor("the entry", () => opened.entries.length > 0, 5_000);
    expect(opened.entries).to.deep.equal(["SignedIn otto proxy"]);
    expect((await client.get("/console/keys/new", by("vera"))).status).to.equal(403);
  });

  it("keeps no session and writes no further entry for clients without cookies, whose forms work, too", async () => {
    await open(null);
    for (let request = 0; request < 5; request += 1) {
      const { status, headers } = await opened.browser().get("/console/keys", by("otto"));
      expect([status, headers["set-cookie"]]).to.deep.equal([200, undefined]);
    }
    const issueWithFormOf = async (name: string) => {
      const { text } = await opened.browser().get("/console/keys/new", by(name));
      const shown = (field: string) => new RegExp(`name="${field}" value="([\\w-]+)"`).exec(text)?.[1] ?? "";
      const fields = { form_token: shown("form_token"), once: shown("once"), label: "", origins: "" };
      const form = { kind: "secret", plan: "free", ...fields };
      return (await opened.browser().post("/console/keys/new", form, by("otto"))).status;
    };
    expect(await issueWithFormOf("anna")).to.equal(403);
    expect(await issueWithFormOf("otto")).to.equal(200);
    expect(opened.changes).to.deep.equal(["issued by otto"]);
    await waitFor("the entries", () => opened.entries.length > 1, 5_000);
    expect(opened.entries).to.deep.equal(["SignedIn otto proxy", "SignedIn anna proxy"]);
  });

  it("ends the live updates of an operator who is removed, and has new ones once they are added again", async () => {
    await open(null);
    const live = () =>
      openEventStream(opened.url, { path: "/console/events", host: new URL(opened.url).host, headers: by("otto") });
    {
      using stream = await live();
      opened.operators.delete("otto");
      await waitFor("the end of the live updates", () => stream.hasEnded(), 1_000);
      expect(stream.events.at(-1)?.event).to.equal("signed-out");
    }
    opened.operators.set("otto", { role: "operator", version: 2 });
    using again = await live();
    await waitFor("a live update", () => again.events.length > 0, 5_000);
    expect(again.events[0]?.event).to.not.equal("signed-out");
  });

  it("tells others that they aren't operators, and lets them sign in with a token", async () => {
    await open(null);
    const client = opened.browser("anna");
    const { headers } = await client.get("/console/keys", by("eve@example.com"));
    expect(headers.location).to.match(/^\/console\/sign-in/);
    expect((await client.get("/console/sign-in", by("eve@example.com"))).text).to.include(
      "eve@example.com isn't an operator",
    );
    await client.signIn();
    expect((await client.get("/console/keys", by("eve@example.com"))).text).to.include('<span class="who">anna</span>');
  });

  it("signs in everyone whom the proxy lets in, if they have a role by setting", async () => {
    await open("viewer");
    const client = opened.browser();
    expect((await client.get("/console/keys", by("eve@example.com"))).status).to.equal(200);
    expect((await client.get("/console/keys/new", by("eve@example.com"))).status).to.equal(403);
    expect((await client.get("/console/keys/new", by("otto"))).status).to.equal(200);
  });

  it("ends with the header: the session's cookie alone, or with another name, is worth nothing", async () => {
    await open(null);
    const client = opened.browser();
    await client.get("/console/keys", by("otto"));
    expect((await client.get("/console/keys")).status).to.equal(303);
    expect((await client.get("/console/keys", by("nobody"))).status).to.equal(303);
    expect((await client.get("/console/keys", by("otto"))).status).to.equal(200);
    opened.operators.delete("otto");
    expect((await client.get("/console/keys", by("otto"))).status).to.equal(303);
  });

  it("ends with the header also for those whose browser has a cookie of a portal that made one", async () => {
    await open(null);
    const client = opened.browser();
    const sessions = createSessions({ adminToken: ADMIN_TOKEN, clock: Date.now, randomBytes });
    const session = sessions.start({ name: "otto", source: "proxy", role: null, version: 0 });
    client.cookies.set("geolookup-session", sessions.seal(session));
    expect((await client.get("/console/keys")).status).to.equal(303);
    expect((await client.get("/console/keys", by("vera"))).text).to.include('<span class="who">vera</span>');
  });

  it("ends when the role by setting changes", async () => {
    await open("viewer");
    const before = opened.browser();
    expect((await before.get("/console/keys", by("eve@example.com"))).status).to.equal(200);
    await opened[Symbol.asyncDispose]();
    await open(null);
    const client = opened.browser();
    for (const [name, value] of before.cookies) client.cookies.set(name, value);
    expect((await client.get("/console/keys", by("eve@example.com"))).status).to.equal(303);
  });

  for (const [what, headers] of [
    ["a wrong secret", by("otto", "another-secret-of-some-length")],
    ["an empty secret", by("otto", "")],
    ["no secret", { "X-Forwarded-Email": "otto" }],
    ["the name of ADMIN_TOKEN's owner", by("admin")],
    ["two names", by("otto, anna")],
    ["a name that is too long", by("o".repeat(65))],
  ] as const)
    it(`ignores the header with ${what}, and logs it once`, async () => {
      await open(null);
      for (let tries = 0; tries < 3; tries += 1)
        expect((await opened.browser().get("/console/keys", headers)).status).to.equal(303);
      expect(opened.lines.filter((line) => line.includes("operator header ignored"))).to.have.length(1);
      expect(opened.lines.join()).to.not.include(SECRET).and.not.include("another-secret-of-some-length");
    });
});
