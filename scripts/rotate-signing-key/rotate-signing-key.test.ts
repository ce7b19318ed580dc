import { randomBytes } from "node:crypto";
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { withNewEntry } from "@geolookup/auth/signing/ring-changes.ts";
import { newRingText, parseRing } from "@geolookup/auth/signing/signing-ring.ts";
import { expect } from "chai";
import { tempFolder } from "../../test/harness/temp-folder.ts";
import { runRotate } from "./run.ts";

describe("rotating the signing key", () => {
  const ringFile = (text = newRingText(randomBytes)) => {
    const path = join(tempFolder(), "signing-keys.json");
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const ringOf = (path: string) => parseRing(readFileSync(path, "utf8"));
  const rotate = (path: string, onPrint: (text: string) => void = () => undefined) =>
    runRotate(
      { environment: { SIGNING_KEYS_FILE: path }, print: onPrint, printError: onPrint },
      { knownEverywhereMs: 0 },
    );

  it("signs with a new entry, and keeps the previous ones", async () => {
    const path = ringFile();
    const before = ringOf(path);
    await rotate(path);
    await rotate(path);
    const after = ringOf(path);
    expect(after.byId.size).to.equal(3);
    expect(after.active.id).to.not.equal(before.active.id);
    expect(after.byId.get(before.active.id)).to.deep.equal(before.active);
  });

  it("first adds the new entry for verification only", async () => {
    const path = ringFile();
    const before = ringOf(path);
    let between: ReturnType<typeof ringOf> | undefined;
    await rotate(path, () => {
      between ??= ringOf(path);
    });
    expect(between?.byId.size).to.equal(2);
    expect(between?.active).to.deep.equal(before.active);
  });

  it("distributes the file after each of its two changes", async () => {
    const path = ringFile();
    const before = ringOf(path).active.id;
    const distributed: [entries: number, isNewActive: boolean][] = [];
    const distribute = async () => void distributed.push([ringOf(path).byId.size, ringOf(path).active.id !== before]);
    const ignore = () => undefined;
    const context = { environment: { SIGNING_KEYS_FILE: path }, print: ignore, printError: ignore };
    await runRotate(context, { knownEverywhereMs: 0, distribute });
    expect(distributed).to.deep.equal([
      [2, false],
      [2, true],
    ]);
  });

  it("drops an entry and distributes the file, without waiting", async () => {
    const path = ringFile();
    const { active } = ringOf(path);
    await rotate(path);
    let distributed = 0;
    const ignore = () => undefined;
    const drop = (id: string) =>
      runRotate(
        { environment: { SIGNING_KEYS_FILE: path }, print: ignore, printError: ignore },
        { drop: id, distribute: async () => void distributed++ },
      );
    await drop(active.id);
    expect(ringOf(path).byId.get(active.id)?.secret.equals(active.secret)).to.equal(false);
    expect(distributed).to.equal(1);
    for (const [id, message] of [
      [ringOf(path).active.id, /signs new keys/],
      ["K1", /4 letters or digits/],
    ] as const)
      expect((await drop(id).catch((error: Error) => error)) as Error)
        .to.have.property("message")
        .that.matches(message);
  });

  it("keeps the file's mode, and leaves no other files behind", async () => {
    const path = ringFile();
    chmodSync(path, 0o640);
    await rotate(path);
    expect(statSync(path).mode & 0o7777).to.equal(0o640);
    expect(readdirSync(dirname(path))).to.deep.equal(["signing-keys.json"]);
  });

  it("keeps a concurrent change between its two steps", async () => {
    const path = ringFile();
    let other: string | undefined;
    await rotate(path, () => {
      if (other) return;
      const changed = withNewEntry(readFileSync(path, "utf8"), randomBytes);
      other = changed.id;
      writeFileSync(path, changed.text);
    });
    expect(ringOf(path).byId.size).to.equal(3);
    expect([...ringOf(path).byId.keys()]).to.include(other);
  });

  it("doesn't sign with an entry that was lost between its two steps", async () => {
    const path = ringFile();
    const before = readFileSync(path, "utf8");
    const error = await rotate(path, () => writeFileSync(path, before)).catch((failure: Error) => failure);
    expect(error).to.have.property("message").that.includes("has no entry");
    expect(readFileSync(path, "utf8")).to.equal(before);
  });

  for (const [what, text] of [
    ["isn't a ring", "{}"],
    ["is empty", ""],
  ] as const)
    it(`doesn't change a file that ${what}`, async () => {
      const path = ringFile(text);
      const error = await rotate(path).catch((failure: Error) => failure);
      expect(error).to.have.property("message").that.includes(path).and.includes("SIGNING_KEYS_FILE");
      expect(readFileSync(path, "utf8")).to.equal(text);
    });

  it("doesn't create a missing ring, which couldn't verify existing keys", async () => {
    const folder = tempFolder();
    const error = await rotate(join(folder, "signing-keys.json")).catch((failure: Error) => failure);
    expect(error).to.have.property("message").that.includes("ENOENT");
    expect(readdirSync(folder)).to.deep.equal([]);
  });
});
