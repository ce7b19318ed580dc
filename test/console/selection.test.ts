import { expect } from "chai";
import type { ConsoleClient } from "../harness/console/console-client.ts";
import { consoleBrowser } from "../harness/console/console-suite.ts";
import { onEveryDeployment } from "../harness/suite.ts";
import { waitFor } from "../harness/wait-for.ts";

const KNOWN_MS = 10_000;
const PATH = "/console/selected-keys";

onEveryDeployment("console: changing several keys", (deployment) => {
  let operator: ConsoleClient;
  let name: string;
  let keys: { key: string; keyId: string }[];
  before(async () => {
    operator = consoleBrowser(deployment());
    await operator.signIn();
  });
  beforeEach(async () => {
    name = `selection ${Math.random().toString(36).slice(2)}`;
    const issue = (each: string) => deployment().issueKey({ label: `${name} ${each}`, plan: "free" });
    keys = [await issue("a"), await issue("b"), await issue("c")];
    // The console's auth node may learn of a key that another node issued a moment later.
    await waitFor("the keys to be known", async () => (await boxes()).length === keys.length, KNOWN_MS);
  });

  const listQuery = () => new URLSearchParams({ search: name, sort: "-label" }).toString();
  const listed = async () => (await operator.get(`/console/keys?${listQuery()}`)).text;
  /** The values of the checkboxes, in the order of issue. */
  const boxes = async () =>
    [...(await listed()).matchAll(/<input type="checkbox" name="key" value="([^"]*)"/g)]
      .map(([, value = ""]) => value)
      .reverse();
  const submit = (to: string, key: readonly string[], fields: Record<string, string> = {}) =>
    operator.submit(`${PATH}/${to}`, { list: listQuery(), key, ...fields });
  const shownPlans = async () => [...(await listed()).matchAll(/data-label="Plan">(\w+)/g)].map(([, plan]) => plan);

  it("changes their plan, shows the result for each, and undoes it", async () => {
    const [a = "", b = "", c = ""] = await boxes();
    await operator.saveSettings(keys[1]?.keyId ?? "", { label: `${name} changed` });
    await operator.saveSettings(keys[2]?.keyId ?? "", { plan: "paid" });
    const { status, text } = await submit("plan", [a, b, c, "key_nobody:1"], { plan: "paid" });
    expect(status).to.equal(200);
    expect(text)
      .to.include("Changed the plan of 1 key.")
      .and.include("2 keys couldn't be changed")
      .and.include("Plan changed from <code>free</code> to <code>paid</code>")
      .and.include("Not changed, because the key has changed since you loaded the list.")
      .and.include("Already on plan paid")
      .and.match(/Key &#34;key_nobody&#34; .*exist/)
      .and.include(`href="/console/keys?${listQuery().replaceAll("&", "&#38;")}"`);
    expect(await shownPlans()).to.deep.equal(["free", "paid", "paid"], "b stayed");
    const [, undo = ""] = /name="key" value="([^"]*)"><button>Undo/.exec(text) ?? [];
    expect(undo).to.equal(`${keys[0]?.keyId}:2:free`);
    const undone = await submit("undo", [undo]);
    expect([undone.status, undone.text.includes("Changed the plan of 1 key.")]).to.deep.equal([200, true]);
    expect((await submit("undo", [undo])).text).to.include("Already on plan free");
  });

  it("revokes them after a confirmation, for the given reason", async () => {
    const selected = (await boxes()).slice(0, 2);
    const asked = await submit("revoke", selected);
    expect(asked.text).to.include("<h1>Revoke 2 keys?</h1>").and.include(`${name} a`).and.not.include(`${name} c`);
    expect(await boxes()).to.have.length(3);
    const refused = await submit("revoke-confirmed", selected, { reason: "a\u0007b" });
    expect([refused.status, /role="alert"[^>]*>The reason must be one line/.test(refused.text)]).to.deep.equal([
      400,
      true,
    ]);
    const done = await submit("revoke-confirmed", selected, { reason: "leaked together" });
    expect(done.text).to.include("Revoked 2 keys.").and.not.include("Undo");
    expect(await boxes()).to.have.length(1);
    expect((await operator.get(`/console/keys/${keys[1]?.keyId}`)).text).to.include("leaked together");
    const [response] = [await deployment().send({ path: `/v1/geo?key=${keys[0]?.key}` })];
    expect(response.json.error.code).to.equal("revoked_key");
    expect((await submit("revoke-confirmed", selected)).text).to.include("Was already revoked");
  });

  it("shows the list again with what was selected if the form isn't complete", async () => {
    const [first = ""] = await boxes();
    for (const [fields, selected, words] of [
      [{ plan: "paid" }, [], "Select at least one key."],
      [{ plan: "" }, [first], "Choose a plan for the selected keys."],
      [{ plan: "no-such-plan" }, [first], "exist"],
    ] as const) {
      const { status, text } = await submit("plan", selected, fields);
      expect([status, text.includes(words)], words).to.deep.equal([400, true]);
      expect([...text.matchAll(/ checked>/g)], words).to.have.length(selected.length);
      expect(text)
        .to.include('role="alert"')
        .and.match(/<option value="-\w+" selected>/);
    }
    expect((await submit("revoke", [])).text).to.include("Select at least one key.");
  });

  it("refuses too many keys, anything but keys, and forms without their token, and changes nothing", async () => {
    const [first = ""] = await boxes();
    const many = Array.from({ length: 101 }, () => first);
    for (const [to, selected, words] of [
      ["plan", many, "at most 100 keys at a time, but you selected 101. Nothing was changed."],
      ["revoke-confirmed", many, "at most 100 keys"],
      ["plan", [first.replace(":", "/:")], "Reload the list"],
      ["undo", ["../key:1:free"], "Reload the list"],
    ] as const) {
      const { status, text } = await submit(to, selected, { plan: "paid" });
      expect([status, text.includes(words)], words).to.deep.equal([400, true]);
    }
    for (const to of ["plan", "revoke", "revoke-confirmed", "undo"]) {
      expect((await operator.post(`${PATH}/${to}`, { list: "", key: [first], plan: "paid" })).status, to).to.equal(403);
      expect((await operator.get(`${PATH}/${to}`)).status, to).to.equal(404);
    }
    expect(await shownPlans()).to.deep.equal(["free", "free", "free"]);
  });
});
