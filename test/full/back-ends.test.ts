import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { exampleSuite } from "../back-ends/example-suite.ts";
import { startProgram } from "../back-ends/started-program.ts";
import { visit } from "../harness/browser/visit.ts";
import type { Deployment } from "../harness/deployment.ts";
import { send } from "../harness/http.ts";
import { installFrameworks } from "../harness/packed-server-package.ts";
import { sample } from "../harness/samples.ts";
import { startStandalone } from "../harness/standalone.ts";
import { waitFor } from "../harness/wait-for.ts";

const LOCATED_MS = 20_000;
const API_URL = "https://geo.example.com";

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

const FRAMEWORKS = ["connect", "fastify", "hono"];

describe("@geolookup/server and its frameworks", () => {
  it("compiles with the frameworks' own types", () => {
    const folder = installFrameworks();
    // Without the stand-ins for the frameworks' types, which make test compiles it with.
    const isCopied = (path: string) => !/frameworks\.d\.ts$|\.test\.ts$/.test(path);
    cpSync("packages/server/src", join(folder, "src"), { recursive: true, filter: isCopied });
    writeFileSync(join(folder, "usage.mts"), USAGE);
    const compilerOptions = {
      ...{ strict: true, noEmit: true, target: "es2023", module: "nodenext", skipLibCheck: true },
      ...{ noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, allowImportingTsExtensions: true },
      types: ["node"],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["usage.mts", "src"] }));
    expect(compile(folder)).to.equal("");
  });
});

exampleSuite(
  "examples of @geolookup/server for frameworks of the npm registry",
  FRAMEWORKS.map((name) => ({ name, args: [`${name}.js`] })),
  installFrameworks,
);

describe("the example of @geolookup/server for Next.js", () => {
  let service: Deployment;
  let url: string;
  let kill: (() => void) | undefined;

  before(async () => {
    const cwd = join(installFrameworks(), "next");
    const next = resolve(cwd, "../node_modules/next/dist/bin/next");
    const env = { NEXT_TELEMETRY_DISABLED: "1" };
    service = await startStandalone({ TRUST_PROXY: "none", TLS_CERT_FILE: "", TLS_KEY_FILE: "" });
    addCountryPage(join(cwd, "app/country"), service.portalUrl);
    // Without the settings, as in an image that is built once and run anywhere.
    execFileSync(process.execPath, [next, "build"], { cwd, env: { PATH: process.env.PATH, ...env }, stdio: "pipe" });
    const { key } = await service.issueKey({ kind: "secret", forward: true });
    const settings = { ...env, GEOLOOKUP_URL: service.url, GEO_KEY: key };
    const start = [next, "start", "--port", "0", "--hostname", "127.0.0.1"];
    ({ url, kill } = await startProgram(process.execPath, start, { cwd, env: settings }));
  });
  after(async () => {
    kill?.();
    await service?.[Symbol.asyncDispose]();
  });

  /** As the proxy in front sends it. */
  const get = async (path: string, forwarded: string, headers: Record<string, string> = {}) => {
    const response = await send(url, { path, headers: { "X-Forwarded-For": forwarded, ...headers } });
    expect(response.status, response.text).to.equal(200);
    return response;
  };
  /** The paragraph of the page, without React's comments. */
  const greeting = async (...args: [forwarded: string, headers?: Record<string, string>]) => {
    const { text } = await get("/", ...args);
    return /<p>(.*?)<\/p>/.exec(text.replaceAll(/<!--.*?-->/g, ""))?.[1];
  };
  const located = (forwarded: string) =>
    waitFor("a location", async () => (await get("/api/geo", forwarded)).json.city !== null, LOCATED_MS);

  for (const [forwarded, ip, city] of [
    ["44.1.2.3", "44.1.2.3", "Rainhaven"],
    ["44.1.2.3, 51.7.0.9", "51.7.0.9", "Upper Testing"],
    ["garbage, 2a0e:1234::7", "2a0e:1234::7", "Rainhaven"],
  ] as const) {
    it(`route handler: locates ${forwarded}`, async () => {
      await located(forwarded);
      expect((await get("/api/geo", forwarded)).json).to.include({ ip, city });
    });

    it(`middleware and page: locate ${forwarded}`, async () => {
      const isLocated = async () => (await greeting(forwarded)) !== "Hello, visitor!";
      await waitFor("a location", isLocated, LOCATED_MS);
      expect(await greeting(forwarded)).to.equal(`Hello, ${city}!`);
    });
  }

  it("the middleware replaces a record that the visitor sends", async () => {
    const forged = encodeURIComponent(JSON.stringify({ city: "Forged" }));
    const headers = { "X-Geolookup-Record": forged, "X-Middleware-Override-Headers": "x-geolookup-record" };
    expect(await greeting("44.1.2.3", headers)).to.equal("Hello, Rainhaven!");
    expect(await greeting("127.0.0.1", headers)).to.equal("Hello, visitor!");
  });

  it("a client component gets the visitor's country from the React hook in the guide for front ends", () =>
    visit({ origins: [url, API_URL] }, async (page) => {
      const headers = { "Access-Control-Allow-Origin": "*" };
      await page.route(`${API_URL}/v1/geo?*`, (route) => route.fulfill({ headers, json: { country: "JP" } }));
      await page.goto(`${url}/country`);
      await page.getByText("From JP").waitFor();
    }));

  it("keeps working without the service", async () => {
    await service.kill();
    expect(await greeting("44.9.9.9")).to.equal("Hello, visitor!");
    expect((await get("/api/geo", "44.9.9.9")).json).to.include({ partial: true, ip: null, city: null });
  });
});

/** A page of Next.js with the React hook of the guide for front ends, which needs a copy of the browser helper. */
function addCountryPage(folder: string, docsUrl: string): void {
  mkdirSync(join(folder, "src"), { recursive: true });
  const download = sample("/front-end", "curl -o geolookup.js").replaceAll("https://docs.geo.example.com", docsUrl);
  execFileSync("sh", ["-ec", download], { cwd: folder, stdio: "pipe" });
  writeFileSync(join(folder, "src/use-country.js"), sample("/front-end", "useCountry"));
  const page = `"use client";
import { useCountry } from "./src/use-country.js";
export default function Page() {
  return <p>{"From " + useCountry("somewhere")}</p>;
}
`;
  writeFileSync(join(folder, "page.js"), page);
}

/** @returns the compiler's errors, or an empty string. */
function compile(folder: string): string {
  try {
    return execFileSync(resolve("node_modules/.bin/tsc"), ["-p", folder], { encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
