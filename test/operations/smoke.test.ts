import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { createAuthority } from "../harness/certificates.ts";
import { runHere } from "../harness/command.ts";
import type { Deployment } from "../harness/deployment.ts";
import { startStandalone } from "../harness/standalone.ts";
import { type Passing, startTamperingProxy, type Tamper, type TamperingProxy } from "../harness/tampering-proxy.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { copyOfRing } from "../harness/unrecorded-key.ts";

describe("./geolookup smoke", () => {
  let deployment: Deployment;
  let proxy: TamperingProxy;
  let ring: string;
  before(async function () {
    this.timeout(60_000);
    ring = copyOfRing();
    deployment = await startStandalone({ SIGNING_KEYS_FILE: ring });
    proxy = await startTamperingProxy(deployment.url);
  });
  after(async () => {
    proxy?.[Symbol.dispose]();
    await deployment?.stop();
  });

  const smoke = async (args: string[], environment: Record<string, string> = {}) => {
    const settings = { DATA_DIR: deployment.dataDir, SIGNING_KEYS_FILE: ring, ...environment };
    const { status, stdout, stderr } = await runHere(["smoke", ...args], settings);
    const printed = stdout + stderr;
    return { status, printed, failed: printed.split("\n").filter((line) => line.startsWith("FAIL")) };
  };

  it("passes all checks except two, which it skips: an internal error, and the coordinates of a caller without a place", async () => {
    const { status, printed } = await smoke([deployment.url, "--small-plan", "tiny"]);
    expect(printed).to.match(/: 3\d passed, 0 failed, 2 skipped\n$/);
    expect(status).to.equal(0);
  });

  it("revokes its keys, and prints none", async () => {
    const { printed } = await smoke([deployment.url]);
    const left = (await deployment.keys("list")).filter(({ label }: { label: string }) => label === "smoke test");
    expect(left.length).to.be.above(0);
    for (const { status } of left) expect(status).to.equal("revoked");
    expect(printed).to.not.match(/geo_[ps]k_\w{10}/);
  });

  it("skips checks that need keys if it can't issue any", async () => {
    const { status, printed } = await smoke([deployment.url], { DATA_DIR: "/nowhere", SIGNING_KEYS_FILE: "" });
    expect(printed)
      .to.match(/skip .*--keys FILE/)
      .and.to.match(/0 failed/);
    expect(status).to.equal(0);
  });

  it("uses given keys", async () => {
    const { key } = await deployment.sharedKey();
    const file = join(tempFolder(), "keys");
    writeFileSync(file, `${key}\n`);
    const { printed } = await smoke([deployment.url, "--keys", file], { DATA_DIR: "/nowhere" });
    expect(printed).to.match(/pass {2}2\.1 .*every field is present/);
    expect(printed).to.not.include(key);
  });

  it("detects a missing service before it issues a key", async () => {
    const before = (await deployment.keys("list")).length;
    expect((await smoke(["http://127.0.0.1:1"])).printed).to.include("http://127.0.0.1:1 isn't responding");
    expect((await deployment.keys("list")).length).to.equal(before);
  });

  const isRecord = ({ status, body }: Passing) => status === 200 && body.startsWith("{");
  const inRecord =
    (change: (record: Record<string, unknown>) => void): Tamper =>
    (response) => {
      if (!isRecord(response)) return;
      const record = JSON.parse(response.body);
      change(record);
      response.body = JSON.stringify(record);
    };
  const inError =
    (change: (error: Record<string, unknown>, response: Passing) => void): Tamper =>
    (response) => {
      if (response.status < 400 || !response.body.startsWith("{")) return;
      const body = JSON.parse(response.body);
      change(body.error, response);
      response.body = JSON.stringify(body);
    };
  /** Each run has several faults, in checks that don't stop each other. */
  const runs: [what: string, how: Tamper, says: RegExp][][] = [
    [
      ["a field is missing", inRecord((record) => delete record.postalCode), /2\.1 .*every field/],
      [
        "others may cache responses",
        ({ headers }) => Object.assign(headers, { "cache-control": "public" }),
        /Cache-Control/,
      ],
      [
        "a code is different",
        inError((error) => error.code === "bad_signature" && Object.assign(error, { code: "unknown_key" })),
        /bad_signature/,
      ],
      [
        "an unknown path responds with 200",
        (response) => response.asked.url === "/v2/geo" && Object.assign(response, { status: 200 }),
        /9 .*version/,
      ],
    ],
    [
      [
        "a coordinate is a number",
        inRecord((record) => Object.assign(record, { latitude: 1.5 })),
        /latitude is of type number/,
      ],
      [
        "a status is different",
        inError((error, response) => error.code === "not_found" && Object.assign(response, { status: 405 })),
        /no POST/,
      ],
    ],
    [
      [
        "the free plan has the city",
        inRecord((record) => Object.assign(record, { city: null, ...record })),
        /rule 2 .*absent/,
      ],
      [
        "preflights are cached too briefly",
        ({ headers }) => Object.assign(headers, { "access-control-max-age": "600" }),
        /4\.2, 8 .*Max-Age/,
      ],
      [
        "the link in an error is broken",
        inError((error) => Object.assign(error, { docs: `${error.docs}`.replace("errors", "error") })),
        /leads to a page|error.docs/,
      ],
    ],
    [
      ["partial is missing", inRecord((record) => delete record.partial), /rule 4/],
      ["a limit is missing", ({ headers }) => delete headers["x-ratelimit-limit"], /X-RateLimit-Limit/],
      [
        "an error has more than `error`",
        (response) =>
          response.status >= 400 && Object.assign(response, { body: response.body.replace("}}", '},"x":1}') }),
        /beside `error`/,
      ],
    ],
    [
      ["fields aren't trimmed", inRecord((record) => Object.assign(record, { asn: 1, ...record })), /4\.1 .*trims/],
      [
        "the hourly limit is higher",
        ({ asked, headers }) => asked.url === "/v1/geo" && Object.assign(headers, { "x-ratelimit-limit": "99" }),
        /5 rule 2, 8/,
      ],
      [
        "a message shows the key",
        inError((error, { asked }) => Object.assign(error, { message: `${error.message}${asked.url}` })),
        /whole key/,
      ],
    ],
    [
      [
        "there is no CORS header",
        ({ headers }) => delete headers["access-control-allow-origin"],
        /Access-Control-Allow/,
      ],
    ],
  ];
  for (const faults of runs)
    it(`fails if ${faults.map(([what]) => what).join(", ")}`, async () => {
      proxy.tamper((response) => {
        for (const [, how] of faults) how(response);
      });
      const { status, failed } = await smoke([proxy.url]);
      expect(status).to.equal(1);
      for (const [what, , says] of faults) expect(failed.join("\n"), what).to.match(says);
    });

  it("passes through a proxy that changes nothing", async () => {
    proxy.tamper(() => undefined);
    expect((await smoke([proxy.url])).failed).to.deep.equal([]);
  });

  describe("over TLS", () => {
    const authority = createAuthority();
    let trusted: TamperingProxy;
    let misnamed: TamperingProxy;
    before(async () => {
      trusted = await startTamperingProxy(deployment.url, authority.issue());
      misnamed = await startTamperingProxy(deployment.url, authority.issue({ names: ["DNS:geo.example.com"] }));
    });
    after(() => {
      trusted?.[Symbol.dispose]();
      misnamed?.[Symbol.dispose]();
    });

    it("trusts the authority that --ca names", async () => {
      const { status, printed } = await smoke([trusted.url, "--ca", authority.caFile]);
      expect(printed)
        .to.match(/0 failed/)
        .and.to.not.include("aren't checked");
      expect(status).to.equal(0);
    });

    it("follows the link in an error to another address, with the same trust", async () => {
      trusted.tamper((response) => {
        const { url } = response.asked;
        inError((error) => Object.assign(error, { docs: `${trusted.url}/errors/${error.code}` }))(response);
        if (url === "/errors/not_found")
          Object.assign(response, { status: 302, headers: { location: "/moved" }, body: "" });
        if (url === "/moved") Object.assign(response, { status: 200, body: "All about not_found" });
      });
      const { failed } = await smoke([trusted.url, "--ca", authority.caFile]);
      trusted.tamper(() => undefined);
      expect(failed).to.deep.equal([]);
    });

    it("says what to do about an untrusted certificate, or one for another name", async () => {
      for (const [args, says] of [
        [[trusted.url], /certificate.*--ca FILE.*--insecure/],
        [[misnamed.url, "--ca", authority.caFile], /does not match certificate.*--insecure/],
      ] as const) {
        expect((await smoke([...args])).printed).to.match(says);
      }
    });

    it("checks no certificate with --insecure, and says so", async () => {
      const { status, printed } = await smoke([misnamed.url, "--insecure"]);
      expect(printed)
        .to.match(/^certificates aren't checked/m)
        .and.to.match(/0 failed/);
      expect(status).to.equal(0);
    });

    it("inside a cluster, skips the check for API_URL but not for a given address", async () => {
      const { status, printed } = await smoke([], { API_URL: misnamed.url, DEPLOYMENT: "compose" });
      expect(printed).to.match(/^certificates aren't checked/m);
      expect(status).to.equal(0);
      expect((await smoke([misnamed.url], { DEPLOYMENT: "compose" })).printed).to.include("--insecure");
    });

    it("refuses options that exclude each other, and invalid certificates", async () => {
      const file = join(tempFolder(), "ca.pem");
      writeFileSync(file, "nonsense", { mode: 0o600 });
      for (const [args, environment, says] of [
        [["--ca", file, "--insecure"], {}, /can't be combined/],
        [["--ca", file], {}, /can't use .*ca\.pem as a PEM certificate/],
        [["--ca", "/no/such/file"], {}, /\/no\/such\/file as a PEM certificate: ENOENT/],
      ] as const) {
        const { status, printed } = await smoke([...args], environment);
        expect(status).to.be.greaterThan(0);
        expect(printed).to.match(says);
      }
    });
  });
});
