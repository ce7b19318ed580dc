import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "chai";

/** What V8 allows itself in a container of 1 GB, the limit of geo nodes with Docker Compose and Kubernetes. */
const HEAP_MB = 512;
const TIMEOUT_MS = 300_000;
const PREFIXES = 1_000_000;

/** Reads a geofeed twice: while a file is replaced, the corrections of both are in memory. Prints their number. */
const READ_TWICE = `
  const { combineFeeds } = await import("./services/geo/src/geofeed/combine-feeds.ts");
  const { readGeofeed } = await import("./services/geo/src/geofeed/read-geofeed.ts");
  const hex = (number) => number.toString(16);
  const line = (_, index) =>
    \`2a0\${hex(index >>> 16)}:\${hex(index & 0xffff)}:\${hex((index * 7) & 0xffff)}::/64,DE,,City \${index % 20000},\\n\`;
  const bytes = Buffer.from(Array.from({ length: ${PREFIXES} }, line).join(""));
  const read = async () => combineFeeds([{ name: "geofeed.csv", feed: await readGeofeed(bytes, console.error) }]);
  const [before, after] = [await read(), await read()];
  console.log(before.prefixes, after.prefixes);
`;

describe("a geofeed with a million prefixes", () => {
  it("can be replaced by another one within the memory of a geo node", async function () {
    this.timeout(TIMEOUT_MS);
    const args = [`--max-old-space-size=${HEAP_MB}`, "--input-type=module", "--eval", READ_TWICE];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: new URL("../..", import.meta.url) });
    expect(stdout).to.equal(`${PREFIXES} ${PREFIXES}\n`);
  });
});
