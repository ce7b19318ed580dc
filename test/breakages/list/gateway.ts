import type { Breakage } from "../breakage.ts";

const SRC = "services/gateway/src";
/** The contract suites start a cluster, too; one process is enough here. */
const STANDALONE = "(standalone)";

/** What a caller notices. */
export const GATEWAY_BREAKAGES: readonly Breakage[] = [
  {
    name: "refused requests that couldn't be published are forgotten",
    in: SRC,
    find: "            each.isChanged = true;\n            throw error;",
    replace: "            throw error;",
    tests: [`${SRC}/responses/refusals.test.ts`],
  },
  {
    name: "Retry-After is one second short",
    in: SRC,
    find: "Math.ceil(resetUnixSeconds - nowMs / 1000)",
    replace: "Math.floor(resetUnixSeconds - nowMs / 1000)",
    tests: ["services/gateway/src/**/error-response.test.ts"],
  },
  {
    name: "preflight Max-Age",
    in: SRC,
    find: '"Access-Control-Max-Age": "86400"',
    replace: '"Access-Control-Max-Age": "600"',
    tests: ["test/contract/preflight.test.ts"],
    only: STANDALONE,
  },
  {
    name: "errors can't be read by pages",
    in: SRC,
    find: "ERROR_HEADERS: Readonly<Record<string, string>> = { ...CORS_HEADERS,",
    replace: "ERROR_HEADERS: Readonly<Record<string, string>> = {",
    tests: ["test/contract/errors.test.ts"],
    only: STANDALONE,
  },
  {
    name: "responses may be cached by proxies",
    in: "services/shared/src/domain",
    find: '"private, max-age=300"',
    replace: '"public, max-age=300"',
    tests: ["test/contract/caching.test.ts"],
    only: STANDALONE,
  },
  {
    name: "paths ignore case",
    in: SRC,
    find: "route.path === path",
    replace: "route.path === path.toLowerCase()",
    tests: ["services/gateway/src/routes.test.ts"],
  },
  {
    name: "POST is served",
    in: SRC,
    find: '&& method === "HEAD")',
    replace: '&& (method === "HEAD" || method === "POST"))',
    tests: ["services/gateway/src/routes.test.ts"],
  },
  {
    name: "a bad key comes before an unknown path",
    in: SRC,
    find: 'handler === "lookup"\n          ? await',
    replace: 'handler === "lookup" || req.url?.includes("key=")\n          ? await',
    tests: ["test/contract/precedence.test.ts"],
    only: STANDALONE,
  },
  {
    name: "an empty key is served as keyless",
    in: SRC,
    find: 'case "empty":',
    replace: 'case "empty": if (settings.keyless) return { grant: null };',
    tests: ["test/contract/key-slots.test.ts"],
    only: STANDALONE,
  },
  {
    name: "the leftmost X-Forwarded-For is trusted",
    in: "services/shared/src/runtime/http/client-address.ts",
    find: "while (unreadEnd >= 0 && trusts(address))",
    replace: "while (unreadEnd >= 0)",
    tests: ["services/shared/src/runtime/http/client-address.test.ts"],
  },
  {
    name: "a key that may forward trusts what its visitor sent",
    in: "services/shared/src/runtime/http/client-address.ts",
    find: "return parseHop(forwardedFor.slice(startOfHop(forwardedFor, end), end))",
    replace: "return parseHop(forwardedFor.slice(0, end).split(',')[0] ?? '')",
    tests: ["services/shared/src/runtime/http/client-address.test.ts"],
  },
  {
    name: "the request log has addresses",
    in: SRC,
    find: "durationMs: rounded, keyId, plan };",
    replace: "durationMs: rounded, keyId, plan, ip: req.socket.remoteAddress } as RequestLine;",
    tests: ["services/gateway/src/**/request-log.test.ts"],
  },
];
