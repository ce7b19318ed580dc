import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { expect } from "chai";
import type { Deployment } from "../harness/deployment.ts";
import { send } from "../harness/http.ts";
import { installServerPackage } from "../harness/packed-server-package.ts";
import { startStandalone } from "../harness/standalone.ts";
import { waitFor } from "../harness/wait-for.ts";

const FRAMEWORKS = ["express", "connect", "fastify", "hono", "@hono/node-server"];
const EXAMPLES = ["node", "express", "connect", "fastify", "hono"];

const LOCATED_MS = 20_000;

/** Compiles only with the package's types. */
const USAGE = `
import { createGeolookup, type GeoRecord } from "@geolookup/server";
import { geoMiddleware } from "@geolookup/server/express";
import { geoPlugin } from "@geolookup/server/fastify";
import { geoMiddleware as honoGeo } from "@geolookup/server/hono";
import { createNextGeo } from "@geolookup/server/next";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";

const geolookup = createGeolookup({ url: "https://geo.example.com", fields: ["city"] });
const all = createGeolookup({ url: "https://geo.example.com" });
express().use(geoMiddleware(all)).get("/", (req, res) => res.send(req.geo?.city satisfies string | null | undefined));
const app = fastify();
app.register(geoPlugin, { geolookup: all });
app.get("/", async (request) => request.geo.timezone satisfies GeoRecord["timezone"] | undefined);
new Hono().use(honoGeo(all)).get("/", (c) => c.text((c.get("geo").asn satisfies number | null | undefined) + ""));
createNextGeo(geolookup).read(new Headers())?.city satisfies string | null | undefined;
// @ts-expect-error: a Web Request has no address
geolookup.locate(new Request("https://shop.example.com"));
// @ts-expect-error: the field wasn't requested
(await geolookup.locate(new Request("https://shop.example.com"), { ip: "192.0.2.7" })).country;
`;

/** X-Forwarded-For as the example's proxy sends it, the visitor and the city. */
const VISITORS: readonly (readonly [forwarded: string, ip: string, city: string])[] = [
  ["44.1.2.3", "44.1.2.3", "Rainhaven"],
  ["51.7.0.9", "51.7.0.9", "Upper Testing"],
  ["51.7.0.9, 44.1.2.4", "44.1.2.4", "Rainhaven"],
  ["garbage, [2A0E:1234::7]:443, 127.0.0.1", "2a0e:1234::7", "Rainhaven"],
];

describe("the examples of @geolookup/server, from the package that npm makes", function () {
  this.timeout(60_000);
  let service: Deployment;
  let folder: string;
  let files: string[];
  const urls = new Map<string, string>();
  const processes: ChildProcess[] = [];

  before(async () => {
    ({ folder, files } = installServerPackage([...FRAMEWORKS, "@types/express", "@types/node"]));
    // Only the key lets these back ends forward.
    service = await startStandalone({ TRUST_PROXY: "none", TLS_CERT_FILE: "", TLS_KEY_FILE: "" });
    const { key } = await service.issueKey({ kind: "secret", forward: true });
    const env = { PATH: process.env.PATH, PORT: "0", GEOLOOKUP_URL: service.url, GEOLOOKUP_KEY: key };
    const start = async (name: string) => {
      const example = spawn(process.execPath, [`${name}.js`], {
        cwd: folder,
        env,
        stdio: ["ignore", "pipe", "inherit"],
      });
      processes.push(example);
      const [url] = await once(createInterface(example.stdout), "line");
      urls.set(name, url);
    };
    await Promise.all(EXAMPLES.map(start));
  });
  after(async () => {
    for (const example of processes) example.kill("SIGKILL");
    await service?.[Symbol.asyncDispose]();
  });

  const visit = async (example: string, forwarded: string) => {
    const response = await send(urls.get(example) ?? "", { path: "/", headers: { "X-Forwarded-For": forwarded } });
    expect(response.status, response.text).to.equal(200);
    return response.json;
  };

  it("the package contains only plain JavaScript with types", () => {
    const modules = ["geolookup", "express", "fastify", "hono", "next"].flatMap((name) => [
      `${name}.js`,
      `${name}.d.ts`,
    ]);
    expect(files).to.include.members(["package.json", "README.md", ...modules.map((name) => `dist/${name}`)]);
    expect(files.filter((name) => !/^dist\/[a-z-]+(\.d\.ts|\.js)$/.test(name))).to.have.members([
      "package.json",
      "README.md",
    ]);
    const installed = join(folder, "node_modules/@geolookup/server");
    expect(JSON.parse(readFileSync(join(installed, "package.json"), "utf8"))).to.not.have.property("dependencies");
  });

  it("the types fit the frameworks", async () => {
    writeFileSync(join(folder, "usage.mts"), USAGE);
    const compilerOptions = {
      ...{ strict: true, noEmit: true, target: "es2023", module: "nodenext", skipLibCheck: true },
      types: ["node"],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["usage.mts"] }));
    const { stdout } = await promisify(execFile)(resolve("node_modules/.bin/tsc"), ["-p", folder]).catch(
      (error) => error,
    );
    expect(stdout).to.equal("");
  });

  for (const example of EXAMPLES)
    it(`${example}: locates its visitors, whatever they send`, async () => {
      for (const [forwarded, ip, city] of VISITORS) {
        // A busy machine may miss the deadline of 150 ms, which isn't tested here.
        const located = async () => (await visit(example, forwarded)).geo.ip !== null;
        await waitFor(`the location of ${ip}`, located, LOCATED_MS);
        const { hello, geo } = await visit(example, forwarded);
        expect({ hello, ip: geo.ip, city: geo.city }).to.deep.equal({ hello: city, ip, city });
      }
    });

  it("they keep working without the service", async () => {
    await service.kill();
    for (const example of EXAMPLES) {
      const { hello, geo } = await visit(example, "44.9.9.9");
      expect(hello, example).to.equal("visitor");
      expect(geo).to.include({ partial: true, country: null, city: null, ip: null });
    }
  });
});
