import { issueKey as issueKeyAt } from "../../../scripts/keys/admin-client.ts";
import { findService } from "../../../scripts/keys/service-address.ts";
import { freshIpv4 } from "../addresses.ts";
import type { Deployment, KeyOptions, Settings } from "../deployment.ts";
import { startStandalone } from "../standalone.ts";
import { sharedChromium } from "./chromium.ts";
import { type RecordingProxy, startRecordingProxy } from "./recording-proxy.ts";

const START_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 40_000;
/** Browser tests are slow while other suites run. */
const TEST_TIMEOUT_MS = 60_000;

/** A deployment for browsers: one process behind a proxy that records requests. */
export interface Site extends RecordingProxy {
  deployment: Deployment;
  /** Base address of the API, e.g. `http://localhost:40001`. */
  apiUrl: string;
  /** Base address of docs and console, e.g. `http://docs.localhost:40001`. */
  docsUrl: string;
  /** Issues a key, by default a publishable one on the plan `paid` for any origin. @throws ServiceError */
  issueKey(options?: KeyOptions): Promise<{ key: string; keyId: string; display: string }>;
}

let shared: Promise<Site> | undefined;

/**
 * Registers a suite on the site that all such suites share.
 * @param define gets a function that returns the running site. Call it only inside hooks and tests.
 */
export function inBrowser(title: string, define: (site: () => Site) => void): void {
  defineSuite(title, define, () => {
    shared ??= startSite({ SELF_SERVICE: "rotate" });
    return shared;
  });
}

/** Like inBrowser, on a separate site with these settings. */
export function inBrowserWith(
  settings: Settings | (() => Promise<Settings>),
  title: string,
  define: (site: () => Site) => void,
): void {
  let own: Promise<Site> | undefined;
  const start = async () => {
    own = startSite(typeof settings === "function" ? await settings() : settings);
    return own;
  };
  const stop = async () => {
    await (await own)?.[Symbol.asyncDispose]();
  };
  defineSuite(title, define, start, stop);
}

/** Each test starts with no recorded requests and has its own IP address. */
function defineSuite(
  title: string,
  define: (site: () => Site) => void,
  start: () => Promise<Site>,
  stop: () => Promise<void> = async () => {},
): void {
  describe(title, function () {
    this.timeout(TEST_TIMEOUT_MS);
    let site: Site;
    before("start browser and site", async function () {
      this.timeout(START_TIMEOUT_MS);
      await sharedChromium();
      site = await start();
    });
    after("stop the site", async function () {
      this.timeout(STOP_TIMEOUT_MS);
      await stop();
    });
    beforeEach(() => {
      site.forget();
      site.callFrom(freshIpv4());
    });
    define(() => site);
  });
}

after("stop the shared site", async function () {
  this.timeout(STOP_TIMEOUT_MS);
  if (shared) await (await shared)[Symbol.asyncDispose]();
});

async function startSite(settings: Settings = {}): Promise<Site> {
  const proxy = await startRecordingProxy();
  const docsUrl = `http://docs.localhost:${proxy.port}`;
  try {
    const deployment = await startStandalone({ DOCS_URL: docsUrl, ...settings });
    proxy.forwardTo(deployment.url);
    return {
      ...proxy,
      deployment,
      apiUrl: `http://localhost:${proxy.port}`,
      docsUrl,
      issueKey: (options) => issueKey(deployment, options),
      [Symbol.asyncDispose]: async () => {
        await proxy[Symbol.asyncDispose]();
        await deployment.stop();
      },
    };
  } catch (error) {
    await proxy[Symbol.asyncDispose]();
    throw error;
  }
}

/** Faster than the keys command, which starts a process for each key. */
async function issueKey(deployment: Deployment, options: KeyOptions = {}) {
  const { kind = "publishable", plan = "paid", label = "", origins = [] } = options;
  const auth = findService("auth", { DATA_DIR: deployment.dataDir });
  const { secret, key } = await issueKeyAt(auth, { kind, plan, label, origins });
  return { key: secret, keyId: key.keyId, display: key.display };
}
