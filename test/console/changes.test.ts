import { expect } from "chai";
import { type ConsoleClient, shownFields, shownVersion } from "../harness/console/console-client.ts";
import { onEveryConsole } from "../harness/console/console-suite.ts";
import { waitFor } from "../harness/wait-for.ts";

const KNOWN_MS = 10_000;

onEveryConsole("console: changes of a key", (console) => {
  let operator: ConsoleClient;
  let keyId: string;
  before(async () => {
    operator = await console().operator();
  });
  beforeEach(async () => {
    ({ keyId } = await console().issueKey({ label: "as issued", origins: ["https://a.test"] }));
    // The console's auth node may learn of a key that another node issued a moment later.
    const isKnown = async () => (await operator.get(`/console/keys/${keyId}`)).status === 200;
    await waitFor("the key to be known", isKnown, KNOWN_MS);
  });

  const page = async () => (await operator.get(`/console/keys/${keyId}`)).text;
  const save = async (setting: string, version: string, value: string) =>
    operator.submit(`/console/keys/${keyId}/settings`, { version, [setting]: value });

  it("doesn't save a form if the key has changed since, and keeps the input so that it can be saved again", async () => {
    const version = shownVersion(await page());
    expect((await save("label", version, "of another operator")).status).to.equal(303);
    for (const [setting, value] of [
      ["label", "mine"],
      ["origins", "https://mine.test"],
      ["plan", "free"],
    ] as const) {
      const { status, text } = await save(setting, version, value);
      expect(status, setting).to.equal(409);
      expect(text, setting).to.include("changed since you loaded this page").and.include(value);
      expect(text).to.include("Label changed to <q>of another operator</q>");
      expect(await page())
        .to.include("<h1>of another operator</h1>")
        .and.not.include("mine");
      expect(shownVersion(text), "of the key as it is now").to.equal(String(Number(version) + 1));
    }
    const refused = await save("label", version, "mine");
    expect((await save("label", shownVersion(refused.text), "mine")).status).to.equal(303);
    expect(await page()).to.include("<h1>mine</h1>");
  });

  it("saves all edited settings together, undoes them together, and leaves the others alone", async () => {
    const unchanged = await operator.saveSettings(keyId, {});
    expect([unchanged.status, unchanged.headers.location]).to.deep.equal([303, `/console/keys/${keyId}`]);
    const saved = await operator.saveSettings(keyId, { label: "", origins: "https://b.test\r\nhttps://c.test" });
    expect(saved.status).to.equal(303);
    const { text } = await operator.get(saved.headers.location ?? "");
    expect(text).to.include("Origins and label saved.").and.include("<h1>key_").and.not.include("Plan changed");
    const undo = shownFields(text, "success saved");
    expect((await operator.submit(`/console/keys/${keyId}/settings`, undo)).status).to.equal(303);
    expect(await page())
      .to.include("<h1>as issued</h1>")
      .and.match(/<textarea id="origins"[^>]*>https:\/\/a\.test<\/textarea>/);
  });

  it("saves the forms of version 0.1, which have one setting each, and leaves the others alone", async () => {
    for (const [setting, value] of [
      ["label", ""],
      ["plan", "free"],
      ["origins", ""],
    ] as const) {
      const form = { version: shownVersion(await page()), [setting]: value };
      expect((await operator.submit(`/console/keys/${keyId}/${setting}`, form)).status, setting).to.equal(303);
      const text = await page();
      expect(text.includes("<h1>as issued</h1>"), "label").to.equal(false);
      expect(text.includes("<option selected>free</option>"), "plan").to.equal(setting !== "label");
      expect(text.includes(">https://a.test</textarea>"), "origins").to.equal(setting !== "origins");
    }
  });

  it("says what is already saved if a later setting is refused", async () => {
    const { status, text } = await operator.submit(`/console/keys/${keyId}/settings`, {
      ...{ version: shownVersion(await page()), origins: "https://b.test", label: "a\u0007b" },
    });
    expect(status).to.equal(400);
    expect(text)
      .to.match(/role="alert"[^>]*>Origins saved\. .*label/)
      .and.include("Origins changed");
    expect(text).to.include("https://b.test</textarea>").and.include('value="a\u0007b"');
  });

  it("revokes a key even if it has changed since", async () => {
    expect((await operator.saveSettings(keyId, { label: "changed" })).status).to.equal(303);
    expect((await operator.submit(`/console/keys/${keyId}/revoke`, { reason: "leaked" })).status).to.equal(303);
    expect(await page()).to.include(">revoked<");
  });

  it("shows whether a secret key can look up visitors, on its page and in its history", async () => {
    expect(await page())
      .to.include("can&#39;t look up visitors")
      .and.not.include("can look up visitors");
    ({ keyId } = await console().issueKey({ kind: "secret", forward: true }));
    const shown = async () => (await page()).match(/can look up visitors/g)?.length === 2;
    await waitFor("both", shown, KNOWN_MS);
  });

  it("says that a revoked key can't be changed", async () => {
    const version = shownVersion(await page());
    await operator.submit(`/console/keys/${keyId}/revoke`, { reason: "" });
    const { status, text } = await save("label", version, "late");
    expect([status, text.includes("is revoked and can")]).to.deep.equal([409, true]);
  });

  it("refuses forms without a valid version", async () => {
    for (const version of ["", "0", "-1", "1.5", "x", "99999999999"]) {
      const { status, text } = await save("label", version, "no version");
      expect([status, text.includes("Reload the key&#39;s page")], version).to.deep.equal([400, true]);
    }
    expect(await page()).to.include("<h1>as issued</h1>");
  });

  it("keeps the input of a refused form", async () => {
    const origins = ["https://good.test", "https://bad.test/path"].join("\n");
    const { status, text } = await operator.saveSettings(keyId, { origins });
    expect(status).to.equal(400);
    expect(text)
      .to.include(`>${origins}</textarea>`)
      .and.match(/role="alert"[^>]*>.*bad\.test\/path/);
    const revoke = await operator.submit(`/console/keys/${keyId}/revoke`, { reason: "a\u0007b" });
    expect([revoke.status, revoke.text.includes('value="a\u0007b"')]).to.deep.equal([400, true]);
    expect(await page())
      .to.include(">active<")
      .and.not.include("Origins changed");
  });
});
