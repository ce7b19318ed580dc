import { expect } from "chai";
import { freshIpv4, freshIpv6Prefix } from "../harness/addresses.ts";
import { logLines } from "../harness/child.ts";
import { ONE_OF_EACH } from "../harness/cluster.ts";
import { expectError, expectRecord, limitHeaders } from "../harness/expect-response.ts";
import { send } from "../harness/http.ts";
import { exchange } from "../harness/raw.ts";
import { keyed } from "../harness/slots.ts";
import { onOneDeploymentWith } from "../harness/suite.ts";
import { waitFor } from "../harness/wait-for.ts";

const MAX_IN_FLIGHT = 4;
const CONNECTIONS = 15;
const REQUESTS_EACH = 6;

onOneDeploymentWith(
  {
    ...ONE_OF_EACH,
    MAX_IN_FLIGHT: String(MAX_IN_FLIGHT),
    KEYLESS_LIMIT: "3",
    IPV6_LIMIT_PREFIX: "48",
    TRUST_PROXY: "127.0.0.0/8, 10.1.0.0/16, 2a0e:9::/32",
    SELF_SERVICE: "off",
    DOCS_URL: "http://docs.example.test",
  },
  "settings: MAX_IN_FLIGHT, KEYLESS_LIMIT, IPV6_LIMIT_PREFIX, TRUST_PROXY as CIDRs, SELF_SERVICE, a public DOCS_URL",
  (deployment) => {
    it("requests beyond capacity get an early 500 internal_error with Retry-After, the others are served", async () => {
      const { key } = await deployment().sharedKey();
      const request = (connection: string) =>
        `GET /v1/geo?key=${key} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 44.1.2.3\r\nConnection: ${connection}\r\n\r\n`;
      // Pipelined on some connections, each of which starts one in a turn of the event loop.
      const pipelined = request("keep-alive").repeat(REQUESTS_EACH - 1) + request("close");
      const received = await Promise.all(
        Array.from({ length: CONNECTIONS }, () => exchange(deployment().url, pipelined)),
      );
      const whole = received.join("");
      const responses = whole.split(/(?=HTTP\/1\.1 \d{3})/).map((text) => ({
        status: Number(text.slice(9, 12)),
        head: text.slice(0, text.indexOf("\r\n\r\n")).toLowerCase(),
        body: text.slice(text.indexOf("\r\n\r\n") + 4),
      }));
      expect(responses).to.have.length(CONNECTIONS * REQUESTS_EACH);
      const refused = responses.filter(({ status }) => status === 500);
      expect(refused).to.have.length.within(1, CONNECTIONS * REQUESTS_EACH - MAX_IN_FLIGHT);
      for (const { status, head, body } of responses) {
        expect(head).to.include("access-control-allow-origin: *");
        if (status === 200) {
          const record = JSON.parse(body);
          expect(record).to.include({ ip: "44.1.2.3" });
          // A geo node that responds too late, as on a busy machine, makes the record partial.
          if (!("partial" in record)) expect(record).to.include({ city: "Rainhaven" });
        } else {
          expect(status).to.equal(500);
          expect(head)
            .to.match(/retry-after: [1-9]\d*/)
            .and.to.include("cache-control: no-store");
          expect(JSON.parse(body).error).to.include({
            code: "internal_error",
            docs: `${deployment().docsUrl}/errors/internal_error`,
          });
        }
      }
    });

    it("afterwards it serves requests as before, and refused ones weren't counted", async () => {
      const key = await deployment().issueKey({ plan: "hundred" });
      const request = `GET /v1/geo?key=${key.key} HTTP/1.1\r\nHost: a\r\n`;
      const whole = await exchange(
        deployment().url,
        [...Array(39).fill(request), `${request}Connection: close\r\n`].map((text) => `${text}\r\n`).join(""),
      );
      const served = whole.match(/HTTP\/1\.1 200/g)?.length ?? 0;
      expect(served).to.be.at.least(MAX_IN_FLIGHT);
      const after = await waitFor(
        "room for a request",
        async () => {
          // At the gateway that counted the others: peers learn of them a moment later.
          const response = await send(deployment().url, keyed(key.key));
          return response.status === 200 && response;
        },
        5_000,
      );
      expect(limitHeaders(after).remaining).to.equal(100 - served - 1);
    });

    it("KEYLESS_LIMIT is the number of keyless requests per hour", async () => {
      const from = freshIpv4();
      for (const remaining of [2, 1, 0])
        expect(limitHeaders(await deployment().send({ from }))).to.include({ limit: 3, remaining });
      const refused = await deployment().send({ from });
      expect(expectError(refused, "rate_limited", deployment())).to.include("3");
      expect(limitHeaders(refused)).to.include({ limit: 3, remaining: 0 });
    });

    it("IPV6_LIMIT_PREFIX is the size of the network that counts as one caller", async () => {
      const statuses: number[] = [];
      for (const network of [freshIpv6Prefix(), freshIpv6Prefix(), freshIpv6Prefix(), freshIpv6Prefix()])
        statuses.push((await deployment().send({ from: `${network}::1` })).status);
      // They differ in their /64 and share their /48.
      expect(statuses).to.deep.equal([200, 200, 200, 429]);
    });

    it("TRUST_PROXY as CIDRs: the walk ends at the first hop outside them", async () => {
      const { key } = await deployment().sharedKey();
      for (const [forwarded, caller] of [
        ["44.1.2.3, 10.1.255.255", "44.1.2.3"],
        ["44.1.2.3, 10.1.0.1, 2a0e:9:1::1, 127.0.0.1", "44.1.2.3"],
        ["44.1.2.3, 10.2.0.1", "10.2.0.1"],
        ["44.1.2.3, 2a0e:a::1", "2a0e:a::1"],
        ["44.1.2.3, ::1", "::1"],
        ["44.1.2.3, 51.7.0.9, 10.1.0.1", "51.7.0.9"],
      ] as const)
        expect(expectRecord(await deployment().send({ ...keyed(key), from: forwarded })), forwarded).to.include({
          ip: caller,
        });
    });

    it("SELF_SERVICE=off: there is no page where customers see their usage", async () => {
      const send = (sent: object) => deployment().send({ host: deployment().docsHost, path: "/account", ...sent });
      expect((await send({})).status).to.equal(404);
      const form = { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" }, body: "key=x" };
      expect((await send(form)).status).to.equal(405);
      expect((await send({ path: "/" })).text).to.not.include("/account");
    });

    it("a console without TLS on a public host is logged as a warning", () => {
      const { docsUrl, output } = deployment();
      const warnings = logLines(output()).flatMap(({ msg }) => (/without TLS/.test(String(msg)) ? [msg] : []));
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.include(`${docsUrl}/console`).and.include("CONSOLE=off");
    });
  },
);
