import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { mintKey } from "@geolookup/auth/signing/signature.ts";
import { newRingText, parseRing } from "@geolookup/auth/signing/signing-ring.ts";
import { expect } from "chai";
import { runHere } from "../harness/command.ts";
import { startStandalone } from "../harness/standalone.ts";
import { tempFolder } from "../harness/temp-folder.ts";

const PLANTED = 1_000;
const DECOYS = 1_000_000;

describe("keys scan among a million decoys", () => {
  it("finds each of 1,000 keys where it is, and nothing else, in less than a minute", async () => {
    await using service = await startStandalone();
    const environment = { DATA_DIR: service.dataDir };
    const csv = join(tempFolder(), "keys.csv");
    const options = ["--kind", "secret", "--plan", "free", "--count", String(PLANTED), "--csv", csv];
    expect((await runHere(["keys", "issue", ...options], environment)).status).to.equal(0);
    const keys = readFileSync(csv, "utf8")
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(",").slice(0, 2) as [keyId: string, key: string]);
    // Keys of another service, and those of this one with another end.
    const { active } = parseRing(newRingText(randomBytes));
    const decoyOf = (index: number) => {
      const [, key = ""] = keys[index % PLANTED] ?? [];
      return index % 2 === 0
        ? mintKey("secret", active, randomBytes)
        : key.replace(/.{4}$/, String(index % 10_000).padStart(4, "z"));
    };
    const file = join(tempFolder(), "haystack.txt");
    const haystack = createWriteStream(file);
    const expected = new Map<string, number>();
    for (let line = 1; line <= DECOYS + PLANTED; line += 1) {
      const planted = line % (DECOYS / PLANTED + 1) === 0 ? keys[expected.size] : undefined;
      if (planted) expected.set(planted[0], line);
      if (!haystack.write(`${line}: token="${planted?.[1] ?? decoyOf(line)}"\n`)) await once(haystack, "drain");
    }
    haystack.end();
    await once(haystack, "close");
    const startedAt = performance.now();
    const { status, stdout, stderr } = await runHere(["keys", "scan", file, "--json"], environment);
    const tookMs = performance.now() - startedAt;
    expect(status, stderr).to.equal(0);
    const found: { keyId: string; places: { line: number }[] }[] = JSON.parse(stdout);
    expect(new Map(found.map(({ keyId, places }) => [keyId, places[0]?.line]))).to.deep.equal(expected);
    expect(found.every(({ places }) => places.length === 1)).to.equal(true);
    expect(tookMs).to.be.below(60_000);
  });
});
