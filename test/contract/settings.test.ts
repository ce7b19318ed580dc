import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withDropped } from "@geolookup/auth/signing/ring-changes.ts";
import { newRingText, parseRing, ringText } from "@geolookup/auth/signing/signing-ring.ts";
import { expect } from "chai";
import { freshIpv4 } from "../harness/addresses.ts";
import type { IssuedKey } from "../harness/deployment.ts";
import { expectError, expectRecord, limitHeaders, varyOf } from "../harness/expect-response.ts";
import { forged, keyed } from "../harness/slots.ts";
import { onOneDeploymentWith } from "../harness/suite.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";

const ring = join(tempFolder(), "signing-keys.json");
const plansFile = join(tempFolder(), "plans-of-settings.json");
const free = { fields: "free", monthlyRequests: 1_000 };
const paid = { fields: "paid", monthlyRequests: 2_000 };

/** Replaces the plans file as an operator's editor does. */
function writePlans(plans: object): void {
  writeFileSync(`${plansFile}.new`, JSON.stringify(plans));
  renameSync(`${plansFile}.new`, plansFile);
}
writePlans({ free, paid });

onOneDeploymentWith(
  {
    KEYLESS: "off",
    TRUST_PROXY: "none",
    DOCS_URL: "https://docs.example.test",
    CONSOLE: "off",
    SIGNING_KEYS_FILE: ring,
    PLANS_FILE: plansFile,
  },
  "settings: KEYLESS=off, TRUST_PROXY=none, DOCS_URL, CONSOLE=off, SIGNING_KEYS_FILE, PLANS_FILE",
  (deployment) => {
    let inUse: IssuedKey;
    /** Auth nodes reload a changed file at different times, within a second, so one may refuse a key that another has signed. */
    const newKeyIsGood = async () => {
      const { key } = await deployment().issueKey({ plan: "paid" });
      return (await deployment().send(keyed(key))).status === 200;
    };
    before(async () => {
      inUse = await deployment().sharedKey();
    });

    it("no slot and KEYLESS=off: 401 missing_key", async () => {
      for (const sent of [{}, { path: "/" }, { headers: { Authorization: "Basic dXNlcjpwYXNz" } }]) {
        const message = expectError(await deployment().send(sent), "missing_key", deployment());
        expect(message).to.match(/key/i).and.to.not.match(/empty/i);
      }
      expectRecord(await deployment().send(keyed(inUse.key)));
      const wrongName = await deployment().send({ path: `/v1/geo?apikey=${inUse.key}` });
      expectError(wrongName, "missing_key", deployment());
      expect(wrongName.headers["x-geolookup-notice"]).to.equal(
        'query parameter "apikey" is ignored: send the key as "key"',
      );
    });

    it("TRUST_PROXY=none: X-Forwarded-For is ignored", async () => {
      for (const headers of [{ "X-Forwarded-For": freshIpv4() }, { "X-Forwarded-For": ["44.1.2.3", "51.7.0.9"] }]) {
        const response = await deployment().send({ ...keyed(inUse.key), headers, from: null });
        expect(expectRecord(response)).to.include({ ip: "127.0.0.1", country: null, partial: true });
        expect(varyOf(response), "Vary").to.not.include("x-forwarded-for");
      }
    });

    it("a key that may forward names a visitor directly: only the rightmost entry counts", async () => {
      const { key } = await deployment().sharedKey({ kind: "secret", forward: true });
      for (const [forwarded, ip] of [
        ["44.1.2.3", "44.1.2.3"],
        ["51.7.0.9, 44.1.2.3", "44.1.2.3"],
        [["51.7.0.9", "[2a0e:1234::1]:443"], "2a0e:1234::1"],
        ["44.1.2.3, garbage", "127.0.0.1"],
        ["", "127.0.0.1"],
      ] as const) {
        const headers = { "X-Forwarded-For": forwarded };
        const response = await deployment().send({ ...keyed(key), headers, from: null });
        expect(expectRecord(response)).to.include({ ip });
        expect(varyOf(response), "Vary").to.include("x-forwarded-for");
        expect("x-geolookup-notice" in response.headers, `${forwarded}`).to.equal(ip === "127.0.0.1");
      }
    });

    it("errors link to DOCS_URL, and its host serves pages", async () => {
      const response = await deployment().send({ path: "/nowhere" });
      expectError(response, "not_found", deployment());
      expect(response.json.error.docs).to.equal("https://docs.example.test/errors/not_found");
      for (const host of ["docs.example.test", "docs.example.test:443", "Docs.Example.Test"]) {
        const page = await deployment().send({ path: "/errors/not_found", host });
        expect([host, page.status]).to.deep.equal([host, 200]);
        expect(page.text).to.include("not_found");
      }
    });

    it("CONSOLE=off: the docs host has no console, and nothing mentions one", async () => {
      const { docsHost: host, adminToken } = deployment();
      for (const path of ["/console", "/console/", "/console/sign-in", "/console/keys", "/console/assets/console.js"]) {
        const response = await deployment().send({ host, path });
        expect([path, response.status]).to.deep.equal([path, 404]);
        expect(response.text)
          .to.include("Page not found")
          .and.not.match(/sign in|ADMIN_TOKEN/i);
      }
      const headers = { Origin: deployment().docsUrl, "Content-Type": "application/x-www-form-urlencoded" };
      const body = new URLSearchParams({ token: adminToken }).toString();
      const form = await deployment().send({ host, method: "POST", path: "/console/sign-in", headers, body });
      expect([form.status, form.headers["set-cookie"]]).to.deep.equal([405, undefined]);
      expect((await deployment().send({ host, path: "/" })).status).to.equal(200);
      expect(deployment().output()).to.not.include("console is at");
    });

    it("keys get bad_signature when their signing key is dropped, and work again when it is restored", async function () {
      this.timeout(40_000);
      const dropped = join(tempFolder(), "signing-keys.json");
      const restored = join(tempFolder(), "signing-keys.json");
      const { active, byId } = parseRing(readFileSync(ring, "utf8"));
      const next = newRingText(randomBytes);
      writeFileSync(dropped, withDropped(next, active.id, randomBytes), { mode: 0o600 });
      // With the entry that signs the key issued meanwhile.
      writeFileSync(restored, ringText({ active, byId: new Map([...parseRing(next).byId, ...byId]) }), { mode: 0o600 });
      const responses = async (status: number, key: string) => (await deployment().send(keyed(key))).status === status;
      // A key that was never used, so that it can't be cached.
      const unused = await deployment().issueKey();
      renameSync(dropped, ring);
      await waitFor("the key to be unknown to the ring", () => responses(401, unused.key), 10_000);
      expectError(await deployment().send(keyed(unused.key)), "bad_signature", deployment());
      await waitFor("a key in use to be refused too", () => responses(401, inUse.key), 10_000);
      expectError(await deployment().send(keyed(inUse.key)), "bad_signature", deployment());
      await waitFor("a key that is issued meanwhile to be good", newKeyIsGood, 10_000);
      renameSync(restored, ring);
      await waitFor("the keys to be good again", () => responses(200, inUse.key), 10_000);
      // Each of several auth nodes reads the file in its own second.
      await waitFor("the unused key to be good again", () => responses(200, unused.key), 10_000);
      expectError(await deployment().send(keyed(forged(unused.key))), "bad_signature", deployment());
    });

    it("keeps the old plans file when the new one drops a plan in use; reloads a valid one", async function () {
      this.timeout(40_000);
      const before = deployment().output().length;
      writePlans({ free });
      await waitFor(
        "a word on the refused file in the log",
        () => deployment().output().slice(before).includes("plans-of-settings.json"),
        10_000,
      );
      expectRecord(await deployment().send(keyed(inUse.key)));
      await waitFor("a new key to be good", newKeyIsGood, 10_000);
      writePlans({ free, paid: { ...paid, monthlyRequests: 3_000 }, gold: paid });
      const limitOf = async (key: string) => limitHeaders(await deployment().send(keyed(key))).limit;
      await waitFor("the plan's new count", async () => (await limitOf(inUse.key)) === 3_000, 10_000);
      await waitFor(
        "keys of the new plan",
        async () => (await limitOf((await deployment().issueKey({ plan: "gold" })).key)) === 2_000,
        10_000,
      );
      writePlans({ free, paid });
    });
  },
);
