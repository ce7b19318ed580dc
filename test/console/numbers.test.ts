import { expect } from "chai";
import { consoleBrowser } from "../harness/console/console-suite.ts";
import { keyed } from "../harness/slots.ts";
import { onEveryDeployment } from "../harness/suite.ts";
import { waitFor } from "../harness/wait-for.ts";

const COUNTED_MS = 15_000;
const LOOKUPS = 7;

/** The numbers of the overview: of the boxes by their name, how many keys were used, and of errors by their code. */
function numbersOf(overview: string): Record<string, number> {
  const found = [
    ...overview.matchAll(/<p class="name">([^<]+)<\/p><p class="count">([\d,]+)</g),
    ...overview.matchAll(/<p class="sub">by ([\d,]+) keys?</g).map(([all, count]) => [all, "keys", count] as const),
    ...overview.matchAll(/<code>(\w+)<\/code><\/a><\/th><td class="number">([\d,]+)</g),
  ];
  // Warnings are about the deployment, and come and go.
  const counts = found.filter(([, name]) => name !== "Warnings");
  return Object.fromEntries(counts.map(([, name = "", count = ""]) => [name, Number(count.replaceAll(",", ""))]));
}

onEveryDeployment("console: its numbers are those of the requests that were sent", (deployment) => {
  it("on the overview, in the list of keys, on a key's page and in its CSV file", async () => {
    const { send, docsHost, issueKey } = deployment();
    const operator = consoleBrowser(deployment());
    await operator.signIn();
    const { key, keyId } = await issueKey({ label: "counted exactly" });
    const bound = await issueKey({ origins: ["https://a.example"] });
    const before = numbersOf((await operator.get("/console")).text);

    for (let count = 0; count < LOOKUPS; count += 1) expect((await send(keyed(key))).status).to.equal(200);
    for (const [sent, times, status] of [
      [{ path: "/v1/geo" }, 3, 200],
      [{ path: "/" }, 2, 200],
      [{ path: "/v1/geo", method: "HEAD" }, 1, 200],
      [{ path: "/v1/geo", method: "OPTIONS" }, 4, 204],
      [{ path: "/nowhere" }, 5, 404],
      [keyed("nonsense"), 2, 401],
      [{ ...keyed(bound.key), headers: { Origin: "https://b.example" } }, 3, 403],
      [{ path: "/", host: docsHost }, 4, 200],
      [{ path: "/assets/site.css", host: docsHost }, 2, 404],
      [{ path: "/nowhere", host: docsHost }, 3, 404],
    ] as const)
      for (let count = 0; count < times; count += 1) expect((await send(sent)).status).to.equal(status);

    const expected = {
      ...before,
      Today: (before.Today ?? 0) + LOOKUPS,
      "This month": (before["This month"] ?? 0) + LOOKUPS,
      keys: (before.keys ?? 0) + 1,
      "Without a key": (before["Without a key"] ?? 0) + 6,
      not_found: (before.not_found ?? 0) + 5,
      malformed_key: (before.malformed_key ?? 0) + 2,
      origin_not_allowed: (before.origin_not_allowed ?? 0) + 3,
    };
    await waitFor(
      "the numbers of the overview",
      async () => {
        expect(numbersOf((await operator.get("/console")).text)).to.deep.equal(expected);
        return true;
      },
      COUNTED_MS,
    );
    const { text: list } = await operator.get("/console/keys?search=counted+exactly");
    expect(list).to.match(new RegExp(`<span>${LOOKUPS} <span class="of">of `));
    const { text: page } = await operator.get(`/console/keys/${keyId}`);
    const { text: csv } = await operator.get(`/console/keys/${keyId}/usage.csv`);
    const days = csv.trim().split("\r\n").slice(1);
    expect(days.map((line) => line.split(",").at(-1))).to.deep.equal([String(LOOKUPS)]);
    expect(page).to.include(`id="month-total">${LOOKUPS}<`).and.include(`Today</p><p class="count">${LOOKUPS}<`);
    expect(page).to.include('Last used</p><p class="count">today<');
    /** What was served and refused in all hours, days or months. */
    const inRange = async (id: string, range: string) => {
      const { text } = await operator.get(`/console/keys/${id}?range=${range}`);
      const counts = [...text.matchAll(/<title>[\d-]+(?: \d\d:00)?: (\d+)(?:, (\d+) refused)?/g)];
      const sum = (index: number) => counts.reduce((total, match) => total + Number(match[index] ?? 0), 0);
      return { served: sum(1), refused: sum(2), codes: /<thead>.*?\/errors\/(\w+)".*?<\/thead>/s.exec(text)?.[1] };
    };
    for (const range of ["hours", "days", "months"])
      for (const [id, counts] of [
        [keyId, { served: LOOKUPS, refused: 0, codes: undefined }],
        [bound.keyId, { served: 0, refused: 3, codes: "origin_not_allowed" }],
      ] as const)
        await waitFor(
          `requests by ${range}`,
          async () => expect(await inRange(id, range)).to.deep.equal(counts),
          COUNTED_MS,
        );
    await deployment().keys("revoke", keyId);
    await waitFor("the revocation", async () => (await send(keyed(key))).status === 401, COUNTED_MS);
    await waitFor("its refusals", async () => (await inRange(keyId, "days")).codes === "revoked_key", COUNTED_MS);
  });
});
