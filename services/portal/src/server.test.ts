import { request } from "node:http";
import { ERROR_CATALOG } from "@geolookup/shared/domain/catalog.ts";
import { EDGE_ERROR_STATUS } from "@geolookup/shared/domain/edge-errors.ts";
import { ERROR_CODES } from "@geolookup/shared/domain/errors.ts";
import { expect } from "chai";
import { readConfig } from "./config.ts";
import { startPortal } from "./server.ts";
import { textOf } from "./testing/serve-portal.ts";

interface PortalResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

describe("the portal", () => {
  let portal: Awaited<ReturnType<typeof startPortal>>;

  before(async () => {
    portal = await startPortal(readConfig({ PORT: "0", OPS_PORT: "0", LOG_LEVEL: "error" }));
  });
  after(() => portal[Symbol.asyncDispose]());

  /** Not fetch, which would normalize paths. */
  function send(path: string, method = "GET", port = portal.port, headers = {}): Promise<PortalResponse> {
    return new Promise((resolve, reject) => {
      const req = request({ host: "127.0.0.1", port, path, method, headers, agent: false }, (res) => {
        let body = "";
        res.setEncoding("utf8").on("data", (chunk: string) => {
          body += chunk;
        });
        res.on("end", () => resolve({ status: res.statusCode ?? 0, headers: res.headers, body }));
      });
      req.on("error", reject).end();
    });
  }

  for (const code of ERROR_CODES)
    it(`has a page for ${code} with its status, causes, fixes and an example`, async () => {
      const { status, headers, body } = await send(`/errors/${code}`);
      expect(status).to.equal(200);
      expect(headers["content-type"]).to.equal("text/html; charset=utf-8");
      const text = textOf(body);
      expect(text).to.include(ERROR_CATALOG[code].title).and.include(`HTTP status ${ERROR_CATALOG[code].status}`);
      for (const { cause, fix } of ERROR_CATALOG[code].causes)
        expect(text).to.include(cause.replaceAll("`", "")).and.include(fix.replaceAll("`", ""));
      const example = JSON.parse(textOf(/<pre>(.*?)<\/pre>/s.exec(body)?.[1] ?? ""));
      expect(example.error).to.have.all.keys("code", "message", "docs");
      expect(example.error.code).to.equal(code);
    });

  for (const [code, status] of Object.entries(EDGE_ERROR_STATUS))
    it(`has a page for the edge port's ${code}`, async () => {
      const page = await send(`/errors/${code}`);
      expect(page.status).to.equal(200);
      expect(textOf(page.body)).to.include(`HTTP status ${status}`);
      const example = JSON.parse(textOf(/<pre>(.*?)<\/pre>/s.exec(page.body)?.[1] ?? ""));
      expect(example.error.code).to.equal(code);
      expect((await send("/errors")).body, "for operators").to.not.include(code);
    });

  it("links to every code from the index, and to the index from the start page", async () => {
    const index = await send("/errors");
    for (const code of ERROR_CODES) expect(index.body).to.include(`href="/errors/${code}"`);
    const start = await send("/");
    expect(start.status).to.equal(200);
    expect(start.body).to.include('href="/errors"');
  });

  it("shows the attribution of the default databases while the loaded ones are unknown", async () => {
    const { body } = await send("/data");
    expect(body).to.include('<a href="https://db-ip.com">IP Geolocation by DB-IP</a>');
    expect(body).to.include("https://creativecommons.org/licenses/by/4.0/");
  });

  for (const path of ["/", "/errors", "/errors/not_found", "/reference", "/openapi.json", "/style.css", "/nowhere"])
    it(`sends strict headers with ${path}`, async () => {
      const { headers, body } = await send(path);
      expect(headers["content-security-policy"])
        .to.include("default-src 'none'")
        .and.include("frame-ancestors 'none'")
        .and.not.include("unsafe");
      expect(headers["x-content-type-options"]).to.equal("nosniff");
      expect(headers["x-frame-options"]).to.equal("DENY");
      expect(headers["referrer-policy"]).to.equal("no-referrer");
      expect(headers).to.not.have.any.keys("x-powered-by", "set-cookie");
      expect(body, "nothing inline").to.not.match(
        /<script(?! type="module" src="\/)|<style|style="|javascript:| on[a-z]+="/i,
      );
    });

  it("has its icon in the page, and loads its font from this host only", async () => {
    const { headers, body } = await send("/");
    expect(body).to.match(/<link rel="icon" type="image\/svg\+xml" href="data:image\/svg\+xml;base64,\w/);
    expect(headers["content-security-policy"]).to.match(/(^|; )font-src 'self'(;|$)/);
    const { status, headers: font } = await send("/assets/inter.woff2");
    expect([status, font["content-type"]]).to.deep.equal([200, "font/woff2"]);
    expect(headers["content-security-policy"]).to.match(/(^|; )img-src data:(;|$)/);
  });

  it("loads only its stylesheet and search on pages without other scripts", async () => {
    const { headers, body } = await send("/errors/not_found");
    const loaded = [...body.matchAll(/<link [^>]*href="(\/[^"]*)"/g)].map(([, path]) => path);
    expect(loaded).to.deep.equal(["/assets/inter.woff2", "/style.css"]);
    expect(body.match(/ src="[^"]*"/g)).to.deep.equal([' src="/assets/docs.js"']);
    expect(headers["cache-control"]).to.equal("public, max-age=300");
    expect((await send("/style.css")).headers["content-type"]).to.equal("text/css; charset=utf-8");
  });

  for (const path of [
    "/errors/none",
    "/errors/constructor",
    "/errors/%3Cscript%3E",
    "/errors/%zz",
    "/errors/../../etc/passwd",
    "/Errors",
    "/style.css/x",
    "//db-ip.com",
  ])
    it(`returns a 404 page for ${path} without echoing it`, async () => {
      const { status, headers, body } = await send(path);
      expect(status).to.equal(404);
      expect(headers["content-type"]).to.equal("text/html; charset=utf-8");
      expect(headers["cache-control"]).to.equal("no-store");
      expect(body)
        .to.include('<a href="/">')
        .and.not.match(/%3C|<script>|constructor|passwd|db-ip/);
    });

  it("says which settings the console is missing", async () => {
    for (const [path, method] of [
      ["/console", "GET"],
      ["/console/sign-in", "POST"],
    ] as const) {
      const { status, headers, body } = await send(path, method);
      expect([status, headers["cache-control"]]).to.deep.equal([404, "no-store"]);
      expect(textOf(body)).to.include("DOCS_URL, AUTH_URL, USAGE_URL, ADMIN_TOKEN.");
    }
  });

  it("responds to HEAD without a body", async () => {
    const { status, headers, body } = await send("/errors/rate_limited", "HEAD");
    expect(status).to.equal(200);
    expect(Number(headers["content-length"])).to.be.above(500);
    expect(body).to.equal("");
  });

  for (const path of ["/style.css", "/", "/openapi.json"])
    it(`returns 304 for ${path} if the browser has it cached`, async () => {
      const { headers } = await send(path);
      const again = await send(path, "GET", portal.port, { "If-None-Match": headers.etag });
      expect([again.status, again.body]).to.deep.equal([304, ""]);
    });

  for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"])
    it(`refuses ${method}`, async () => {
      const { status, headers, body } = await send("/errors", method);
      expect(status).to.equal(405);
      expect(body).to.include("<title>Method not allowed · Geolocation API</title>");
      expect(headers.allow).to.equal("GET, HEAD");
    });

  it("is ready, and counts responses in its metrics", async () => {
    await send("/errors/none");
    expect((await send("/readyz", "GET", portal.opsPort)).status).to.equal(200);
    const { body } = await send("/metrics", "GET", portal.opsPort);
    expect(body).to.match(/geolookup_portal_requests_total\{status="404"\} \d+/);
  });
});
