import { expect } from "chai";
import { findMisnamedSettings, SETTINGS } from "./misnamed-settings.ts";

const MISNAMED: readonly (readonly [name: string, meant: string])[] = [
  ["KEYLES_LIMIT", "KEYLESS_LIMIT"],
  ["EKYLESS_LIMIT", "KEYLESS_LIMIT"],
  ["keyless_limit", "KEYLESS_LIMIT"],
  ["TRUST_PROXIES", "TRUST_PROXY"],
  ["TRUSTED_PROXY", "TRUST_PROXY"],
  ["DOC_URL", "DOCS_URL"],
  ["REDIS_URI", "REDIS_URL"],
  ["IP_HASH_SECRETS", "IP_HASH_SECRET"],
  ["MAX_CONNECTION", "MAX_CONNECTIONS"],
  // By its prefix.
  ["KEYLESS_LIMIT_PER_HOUR", "KEYLESS_LIMIT"],
  ["EDGE_ALLOWED_COUNTRIES", "EDGE_ALLOW"],
];

/** Names and values as real environments have them. */
const OF_OTHERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "a shell": {
    ...{ HOME: "/root", HOSTNAME: "a", PATH: "/bin", LANG: "C", TERM: "xterm", EDITOR: "vi", USER: "a" },
    ...{
      SSH_AUTH_SOCK: "/a",
      XDG_DATA_HOME: "/a",
      XDG_CACHE_HOME: "/a",
      ALL_PROXY: "a",
      FTP_PROXY: "a",
    },
    ...{
      http_proxy: "http://a",
      no_proxy: "a",
      https_proxy: "http://a",
      DATABASE_URL: "a",
      PUBLIC_DIR: "a",
      SSL_CERT_FILE: "/a",
    },
  },
  npm: {
    ...{ npm_config_cache: "/a", npm_lifecycle_event: "start", npm_package_name: "geolookup", INIT_CWD: "/a" },
    ...{ NODE_OPTIONS: "--a", NODE_ENV: "production", npm_config_user_agent: "npm", npm_node_execpath: "/a" },
  },
  "GitHub Actions": {
    ...{
      CI: "true",
      GITHUB_API_URL: "https://a",
      GITHUB_TOKEN: "a",
      GITHUB_ENV: "a",
      RUNNER_TEMP: "/a",
      RUNNER_OS: "a",
    },
    ...{
      ImageOS: "ubuntu",
      EDGEWEBDRIVER: "/a",
      ACTIONS_RUNTIME_URL: "a",

      GITHUB_PATH: "a",
    },
  },
  "GitLab CI": {
    ...{ CI_API_V4_URL: "https://a", CI_JOB_TOKEN: "a", GITLAB_USER_LOGIN: "a", CI_PAGES_URL: "https://a" },
  },
  // In a namespace with Services of our own names, and others'.
  Kubernetes: Object.fromEntries(
    ["GEO", "AUTH", "USAGE", "PORTAL", "GATEWAY", "GEO_DATA", "EDGE_PROXY", "NATS", "REDIS", "KUBERNETES"].flatMap(
      (name) => [
        [`${name}_SERVICE_HOST`, "10.0.0.1"],
        [`${name}_SERVICE_PORT`, "50051"],
        [`${name}_SERVICE_PORT_GRPC`, "50051"],
        [`${name}_PORT`, "tcp://10.0.0.1:50051"],
        [`${name}_PORT_50051_TCP`, "tcp://10.0.0.1:50051"],
        [`${name}_PORT_50051_TCP_PROTO`, "tcp"],
        [`${name}_PORT_50051_TCP_PORT`, "50051"],
        [`${name}_PORT_50051_TCP_ADDR`, "10.0.0.1"],
      ],
    ),
  ),
};

describe("findMisnamedSettings", () => {
  for (const [name, meant] of MISNAMED)
    it(`${name}: names ${meant}`, () =>
      expect(findMisnamedSettings({ PORT: "80", [name]: "5" })).to.deep.equal([
        { name, problem: `isn't a setting and has no effect. Did you mean ${meant}?` },
      ]));
  it("names a removed setting", () => {
    const [found] = findMisnamedSettings({ REDIS_LEASE: "off" });
    expect(found?.problem).to.match(/^was removed/);
  });
  for (const [where, environment] of Object.entries(OF_OTHERS))
    it(`says nothing about the variables of ${where}`, () =>
      expect(findMisnamedSettings(environment)).to.deep.equal([]));
  it("says nothing about our settings, those of other services included, nor about empty ones", () => {
    const environment = Object.fromEntries(SETTINGS.map((name) => [name, "1"]));
    expect(findMisnamedSettings({ ...environment, KEYLES_LIMIT: "" })).to.deep.equal([]);
  });
});
