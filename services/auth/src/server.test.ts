import { expect } from "chai";
import { tempFolder } from "../../../test/harness/temp-folder.ts";
import { type AuthProcess, startAuth, TOKEN } from "./testing/auth-process.ts";

describe("the auth process", () => {
  let folder: string;
  let running: AuthProcess;
  const start = (environment: Record<string, string> = { ADMIN_TOKEN: TOKEN }) => {
    running = startAuth({ STORES: "embedded", DATA_DIR: folder, ...environment });
    return running;
  };
  beforeEach(() => {
    folder = tempFolder();
  });
  afterEach(() => running.stop());

  it("serves health, readiness and metrics on its ops port, and ends on SIGTERM", async () => {
    const { opsUrl } = await start().ready();
    for (const path of ["healthz", "readyz"]) expect((await fetch(`${opsUrl}/${path}`)).status).to.equal(200);
    const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
    expect(metrics).to.include('geolookup_auth_keys{status="active"} 0');
    expect(metrics).to.include('geolookup_auth_file_refused{file="plans"} 0');
    expect(await running.stop()).to.equal(0);
  });

  it("keeps every key that it returned, even when killed", async () => {
    const first = start();
    const { issue } = await first.ready();
    const reported: string[] = [];
    const issueUntilKilled = async () => {
      for (;;) {
        reported.push((await issue()).secret);
        if (reported.length === 40) first.kill("SIGKILL");
      }
    };
    await Promise.allSettled(Array.from({ length: 8 }, issueUntilKilled));
    await first.exited;
    await first.stop();
    expect(reported.length).to.be.at.least(40);

    const { authorize } = await start().ready();
    const { authorizations } = await authorize(...reported.map((key) => ({ key })));
    expect(authorizations.map(({ outcome }) => outcome)).to.deep.equal(reported.map(() => "GRANTED"));
  });
});
