import { expect } from "chai";
import { openEventStream } from "../../../../test/harness/console/event-stream.ts";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { openConsoleWithAuth, tokenOf } from "../testing/console-with-auth.ts";

describe("operators at the console", () => {
  let opened: Awaited<ReturnType<typeof openConsoleWithAuth>>;
  beforeEach(async () => {
    opened = await openConsoleWithAuth();
  });
  afterEach(() => opened[Symbol.asyncDispose]());

  it("sign in with their own token, under their name, and each sign-in is in the audit trail", async () => {
    const client = await opened.signedIn("otto");
    expect((await client.get("/console/keys")).text).to.include('<span class="who">otto</span>');
    await client.post("/console/sign-out", { form_token: await opened.csrf(client) });
    await opened.signedIn("admin");
    await waitFor("three opened.entries", () => opened.entries.length === 3, 5_000);
    expect(opened.entries).to.deep.equal(["SignedIn otto token", "SignedOut otto token", "SignedIn admin admin"]);
  });

  it("aren't let in with a token that auth doesn't know, or that isn't one", async () => {
    for (const token of [tokenOf("nobody"), "geo_op_", `${tokenOf("otto")}0`, "something else"]) {
      const { status, headers } = await opened.browser("", token).post("/console/sign-in", { token });
      expect([status, headers["set-cookie"]], token).to.deep.equal([403, undefined]);
    }
    // Auth records the refusal of what it was asked about.
    await waitFor("three opened.entries", () => opened.entries.length === 3, 5_000);
    expect(new Set(opened.entries)).to.deep.equal(new Set(["SignInRefused  token"]));
  });

  it("that were removed, or whose token was replaced, are signed out at the next request", async () => {
    const [removed, replaced] = [await opened.signedIn("otto"), await opened.signedIn("vera")];
    opened.operators.delete("otto");
    opened.operators.set("vera", { role: "viewer", version: 2 });
    for (const client of [removed, replaced]) {
      const { status, headers } = await client.get("/console/keys");
      expect([status, headers.location]).to.deep.equal([303, "/console/sign-in?next=%2Fconsole%2Fkeys"]);
    }
  });

  it("that were removed get no more live updates within a second", async () => {
    const client = await opened.signedIn("otto");
    using stream = await openEventStream(opened.url, {
      path: "/console/events",
      host: new URL(opened.url).host,
      cookie: client.cookieHeader(),
    });
    expect(stream.status).to.equal(200);
    opened.operators.delete("otto");
    await waitFor("the end of the live updates", () => stream.hasEnded(), 1_000);
    expect(stream.events.at(-1)?.event).to.equal("signed-out");
  });

  it("can sign in with ADMIN_TOKEN while auth is unavailable, and other sessions get an error", async () => {
    const client = await opened.signedIn("otto");
    await opened.stopAuth();
    expect((await client.get("/console/keys/new")).status).to.equal(503);
    expect((await client.get("/console/sign-in")).status).to.equal(200);
    expect((await (await opened.signedIn("admin")).get("/console/keys/new")).status).to.equal(200);
  });

  it("see the audit trail with filters and pages, and download all of it", async () => {
    const client = await opened.signedIn("otto");
    const query = "by=vera&subject=key_1&since=2026-11-01";
    const { text } = await client.get(`/console/audit?${query}`);
    expect(text).to.include('<a href="/console/keys/key_1"').and.include("plan: <del>&#60;free&#62;</del> paid");
    expect(text).to.include(`/console/audit?by=vera&#38;subject=key_1&#38;since=2026-11-01&#38;after=50"`);
    const filter = { since: "2026-11-01T00:00:00Z", by: "vera", subject: "key_1", asks: "otto" };
    expect(opened.asked[0]).to.deep.include(filter);
    const download = await client.get(`/console/audit.ndjson?${query}`);
    expect(download.headers).to.include({ "content-disposition": "attachment; filename=audit.ndjson" });
    expect(download.headers["content-type"]).to.match(/^application\/x-ndjson/);
    const entries = download.text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(new Set(entries.map(({ id }) => id)).size).to.equal(1_200);
    expect(entries[0]).to.deep.include({ by: "otto", before: { plan: "<free>" }, after: { plan: "paid" }, count: 1 });
    expect(opened.asked.at(-1)).to.deep.include(filter);
    const vera = await opened.signedIn("vera");
    for (const path of ["/console/audit", "/console/audit.ndjson"]) expect((await vera.get(path)).status).to.equal(403);
  });

  /** By role: what its pages offer, and the statuses of what it tries anyway. */
  const MARKS = {
    issue: ["/console/keys", 'href="/console/keys/new"'],
    select: ["/console/keys", 'class="selection"'],
    settings: ["/console/keys/key_1", 'action="/console/keys/key_1/settings"'],
    revoke: ["/console/keys/key_1", 'href="/console/keys/key_1/revoke"'],
    audit: ["/console/plans", 'href="/console/audit"'],
    operators: ["/console/plans", 'href="/console/operators"'],
    confirm: ["/console/plans", 'action="/console/plans/confirm"'],
  } as const;
  for (const [name, offered, issueForm, issued, dataChange] of [
    ["vera", [], 403, 403, 403],
    ["otto", ["issue", "select", "settings", "revoke", "audit"], 200, 200, 403],
    ["anna", ["issue", "select", "settings", "revoke", "audit", "operators", "confirm"], 200, 200, 409],
    ["admin", ["issue", "select", "settings", "revoke", "audit", "operators", "confirm"], 200, 200, 409],
  ] as const)
    it(`offers ${name} what their role can do, and refuses the rest`, async () => {
      const client = await opened.signedIn(name);
      const shown = [];
      for (const [what, [path, mark]] of Object.entries(MARKS))
        if ((await client.get(path)).text.includes(mark)) shown.push(what);
      expect(shown).to.deep.equal(offered);
      const form = await client.get("/console/keys/new");
      expect(form.status).to.equal(issueForm);
      const once = /name="once" value="([\w-]+)"/.exec(form.text)?.[1] ?? "A".repeat(22);
      const fields = {
        form_token: await opened.csrf(client),
        once,
        kind: "secret",
        plan: "free",
        label: "",
        origins: "",
      };
      const response = await client.post("/console/keys/new", fields);
      expect(response.status, response.text).to.equal(issued);
      expect(opened.changes).to.deep.equal(issued === 200 ? [`issued by ${name}`] : []);
      const update = await client.post("/console/data/update", { form_token: fields.form_token });
      expect(update.status).to.equal(dataChange);
    });
});
