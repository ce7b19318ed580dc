import type { Breakage } from "../breakage.ts";

const SRC = "services/gateway/src";

/** How requests are read, and responses sent. */
export const GATEWAY_HTTP_BREAKAGES: readonly Breakage[] = [
  {
    name: "the fast path reads requests that announce a body",
    in: `${SRC}/fast-path`,
    find: '"content-length", ',
    replace: "",
    tests: ["services/gateway/src/fast-path/parse-request.test.ts"],
  },
  {
    name: "the fast path drops the edge port's token",
    in: `${SRC}/fast-path`,
    find: ', "x-edge-token"',
    replace: "",
    tests: ["services/gateway/src/fast-path/parse-request.test.ts"],
  },
  {
    name: "the fast path sends a header's line break",
    in: `${SRC}/fast-path`,
    find: "if (INVALID.test(text))",
    replace: "if (false)",
    tests: ["services/gateway/src/fast-path/fast-response.test.ts"],
  },
  {
    name: "a response of the fast path counts as sent although its connection doesn't take it",
    in: `${SRC}/fast-path`,
    find: 'if (socket.writableLength > 0) socket.write("", (error) => !error && this.#onClose());\n    else if',
    replace: "if",
    tests: ["services/gateway/src/fast-path/fast-response.test.ts"],
  },
  {
    name: "a response of the fast path counts as sent although its connection is broken",
    in: `${SRC}/fast-path`,
    find: "!socket.destroyed && socket.errored === null",
    replace: "true",
    tests: ["services/gateway/src/fast-path/fast-response.test.ts"],
  },
  {
    name: "a request whose body isn't valid HTTP is counted",
    in: SRC,
    find: "if (!(await overload.admit(exchange))) return;",
    replace: "const slot = overload.admit(exchange); if (slot !== true && !(await slot)) return;",
    tests: ["services/gateway/src/connections/invalid-requests.test.ts"],
  },
  {
    name: "the length of a record's response is in characters",
    in: `${SRC}/responses`,
    find: "bytes: text.length + more",
    replace: "bytes: text.length",
    tests: ["services/gateway/src/responses/record-response.test.ts"],
  },
  {
    name: "a page of a busy process is given up before its response is read",
    in: `${SRC}/portal-proxy`,
    find: "const FIRST_BYTE_CHECKS = 10;",
    replace: "const FIRST_BYTE_CHECKS = 1;",
    tests: ["services/gateway/src/portal-proxy/docs-site.test.ts"],
  },
  {
    name: "a preflight's response that closes its connection doesn't end it for later requests",
    in: SRC,
    find: "if (isLastPreflight(req)) res.shouldKeepAlive = false;",
    replace: "",
    tests: ["services/gateway/src/connections/invalid-requests.test.ts"],
  },
  {
    name: "an invalid HEAD request gets a body",
    in: SRC,
    find: '(isHead ? "" : body)',
    replace: "body",
    tests: ["services/gateway/src/connections/invalid-requests.test.ts"],
    only: "the error has no body",
  },
  {
    name: "the gateway gives the portal no more time for a change than for a page",
    in: SRC,
    find: "permits === forms ? FORM_FIRST_BYTE_TIMEOUT_MS : FIRST_BYTE_TIMEOUT_MS",
    replace: "FIRST_BYTE_TIMEOUT_MS",
    tests: ["services/gateway/src/portal-proxy/docs-site.test.ts"],
    only: "a form may take longer",
  },
  {
    name: "an ignored ?ip= isn't said",
    in: `${SRC}/request`,
    find: '"ip ips ipaddress',
    replace: '"ips ipaddress',
    tests: ["services/gateway/src/request/notice.test.ts"],
  },
  {
    name: "an X-Forwarded-For that a secret key may not send is ignored silently",
    in: `${SRC}/request`,
    find: "notice = NOT_FORWARDED;",
    replace: "notice = null;",
    tests: ["services/gateway/src/request/notice.test.ts"],
  },
  {
    name: "country rules lock out private addresses by default",
    in: `${SRC}/edge`,
    find: 'env.EDGE_PRIVATE === "allow" ? PRIVATE',
    replace: 'env.EDGE_PRIVATE === "allow" ? "none"',
    tests: ["services/gateway/src/edge/edge-config.test.ts", "services/gateway/src/edge/country-rules.test.ts"],
  },
];
