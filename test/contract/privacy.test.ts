import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { logLines } from "../harness/child.ts";
import { ONE_OF_EACH } from "../harness/cluster.ts";
import { send } from "../harness/http.ts";
import { notationsOf } from "../harness/notations.ts";
import { sendRaw } from "../harness/raw.ts";
import { forged, keyed } from "../harness/slots.ts";
import { onOneDeploymentWith } from "../harness/suite.ts";
import { waitFor } from "../harness/wait-for.ts";

/** Addresses that nothing else in this run uses, one of them in no database. */
const ADDRESSES = ["44.13.37.211", "93.214.179.86", "2a0e:1234:dead:beef:0:0:cafe:f00d"];
const USER_AGENT = "an-agent-like-no-other/7.3";

const settings = { ...ONE_OF_EACH, LOG_LEVEL: "debug", ACCESS_LOG: "all", KEYLESS_LIMIT: "2" };

onOneDeploymentWith(settings, "privacy", (deployment) => {
  let key: string;

  before("send unique addresses with every kind of request", async function () {
    this.timeout(60_000);
    const issued = await deployment().issueKey({ origins: ["https://app.example.com"], kind: "publishable" });
    key = issued.key;
    const closed = await deployment().issueKey({ plan: "closed" });
    const allowed = { Origin: "https://app.example.com" };
    for (const from of ADDRESSES) {
      for (const sent of [
        {},
        {},
        {},
        { path: "/a-path-like-no-other" },
        { path: "/%zz" },
        { method: "POST" },
        { method: "OPTIONS" },
        { ...keyed(key), headers: allowed },
        { ...keyed(key), headers: { Origin: "https://evil.test" } },
        keyed(forged(key)),
        keyed(""),
        keyed("a-key-like-no-other"),
        keyed(closed.key),
        { path: "/errors/not_found", host: deployment().docsHost },
      ])
        await deployment().send({
          ...sent,
          from,
          headers: { "User-Agent": USER_AGENT, ...("headers" in sent ? sent.headers : {}) },
        });
      await sendRaw(deployment().url, `BROKEN / HTTP/1.1\r\nX-Forwarded-For: ${from}\r\n\r\n`);
    }
    await waitFor(
      "the counts to reach the usage log",
      async () => (await deployment().keys("usage", issued.keyId)).total === ADDRESSES.length,
      10_000,
    );
  });

  const expectNowhere = (text: string, where: string) => {
    for (const address of ADDRESSES)
      for (const notation of notationsOf(address))
        if (text.toLowerCase().includes(notation.toLowerCase()))
          expect.fail(`${where} holds the address ${address}, written ${JSON.stringify(notation)}`);
  };

  it("the caller's IP address appears in the response body", async () => {
    const sent = { ...keyed(key), headers: { Origin: "https://app.example.com" } };
    for (const from of ADDRESSES) {
      const { ip } = (await deployment().send({ ...sent, from })).json;
      expect(notationsOf(from)).to.include(ip);
    }
  });

  it("it is in no log line, at any level", () => {
    const output = deployment().output();
    const requests = logLines(output).filter(({ status }) => typeof status === "number");
    expect(requests.length, "the request log is on").to.be.at.least(ADDRESSES.length * 10);
    expectNowhere(output, "the log");
  });

  it("the request log has no URL, user agent or key", () => {
    const output = deployment().output();
    for (const secret of [USER_AGENT, key, "a-key-like-no-other", "a-path-like-no-other"])
      for (const line of output.split("\n")) expect(line).to.not.include(secret);
  });

  it("it is in no file and no file name", () => {
    const files = readdirSync(deployment().dataDir, { recursive: true, encoding: "utf8" })
      .map((name) => join(deployment().dataDir, name))
      .filter((file) => statSync(file).isFile());
    expect(files).to.not.be.empty;
    for (const file of files) {
      expectNowhere(file, "a file's name");
      expectNowhere(readFileSync(file, "latin1"), file);
      expect(readFileSync(file, "latin1"), "a key is stored nowhere").to.not.include(key);
    }
  });

  it("it is in no metric", async () => {
    for (const ops of deployment().opsUrls) {
      const { text } = await send(ops, { path: "/metrics" });
      expectNowhere(text, `${ops}/metrics`);
      expect(text).to.not.include(key);
    }
  });
});
