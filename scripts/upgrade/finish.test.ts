import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { listen } from "@geolookup/shared/runtime/http/listen.ts";
import { expect } from "chai";
import { runHere } from "../../test/harness/command.ts";
import { freePort } from "../cluster/free-port.ts";
import { type KeyService, startKeyService } from "../keys/testing/key-service.ts";

/** An ops port of a process with this version. */
async function processOf(version: string) {
  const server = createServer((_, res) => res.end(`geolookup_build_info{version="${version}"} 1\n`));
  await listen(server, { host: "127.0.0.1", port: 0, setting: "PORT" });
  const { port } = server.address() as AddressInfo;
  return { target: `127.0.0.1:${port}`, [Symbol.dispose]: () => server.close() };
}

describe("geolookup upgrade --finish", () => {
  let service: KeyService;
  before(async () => {
    service = await startKeyService();
  });
  after(() => service[Symbol.asyncDispose]());
  const finish = (OPS_TARGETS: string, more = {}) =>
    runHere(["upgrade", "--finish"], { DATA_DIR: service.dataDir, OPS_TARGETS, ...more });
  const isRecorded = async () => (await service.admin.history("cluster").catch(() => [])).length > 0;

  it("names each process that runs another version, isn't reachable or isn't running, and records nothing", async () => {
    using current = await processOf("0.3.0");
    using old = await processOf("0.1.0");
    const stopped = `127.0.0.1:${await freePort()}`;
    const targets = `auth=${current.target},gateway=${old.target},geo=${stopped},usage=nowhere.invalid:9464`;
    const { status, stdout, stderr } = await finish(targets, { PARTS: "auth=1/1,portal=1/2" });
    expect([status, stdout]).to.deep.equal([1, ""]);
    const lines = stderr.split("\n");
    expect(lines[0]).to.match(/^upgrade: not every process runs 0\.3\.0, so nothing was recorded/);
    expect(lines.slice(1, -1)).to.have.length(4);
    expect(lines[1]).to.equal("  portal: 1 of 2 running");
    expect(lines[2]).to.equal(`  gateway at ${old.target}: 0.1.0`);
    expect(lines[3]).to.match(new RegExp(`^  geo at ${stopped}: NOT RESPONDING`));
    expect(lines[4]).to.match(/^ {2}usage: cannot resolve nowhere\.invalid/);
    expect(await isRecorded()).to.equal(false);
  });

  it("records it if all of them run this version", async () => {
    using one = await processOf("0.3.0");
    using other = await processOf("0.3.0");
    const { status, stdout, stderr } = await finish(`auth=${one.target},gateway=${other.target}`);
    expect(status, stderr).to.equal(0);
    expect(stdout).to.match(
      /^Every process \(2\) runs 0\.3\.0, which has been on record since 2026-01-31T23:59:59\.000Z\.\n$/,
    );
  });
});
