import type { Deployment } from "../deployment.ts";
import { type HttpResponse, send } from "../http.ts";
import { onEveryDeployment } from "../suite.ts";
import { type ConsoleClient, type ConsoleTarget, consoleClient } from "./console-client.ts";

/** A browser at the console of a deployment's docs host. @param from its address; default: a new one for each request. */
export function consoleBrowser(deployment: Deployment, from?: string): ConsoleClient {
  const { docsUrl: origin, docsHost: host, adminToken } = deployment;
  const address = from === undefined ? {} : { from };
  return consoleClient({ origin, adminToken, send: (sent) => deployment.send({ host, ...address, ...sent }) });
}

export interface ConsoleUnderTest extends ConsoleTarget {
  /** The address to connect to. */
  url: string;
  /** A browser that is not signed in. */
  signedOut(): ConsoleClient;
  /** A signed-in browser with its own cookies. */
  operator(): Promise<ConsoleClient>;
  /** A request to the API with a key. */
  lookUp(key: string): Promise<HttpResponse>;
  issueKey: Deployment["issueKey"];
}

/** Registers a suite for the console of every deployment, both through the gateway and at the portal's own address. */
export function onEveryConsole(title: string, define: (console: () => ConsoleUnderTest) => void): void {
  onEveryDeployment(title, (deployment) => {
    describe("through the gateway", () => {
      define(() => {
        const { docsUrl, docsHost, adminToken, url } = deployment();
        return underTest(deployment(), url, {
          origin: docsUrl,
          adminToken,
          send: (sent) => deployment().send({ host: docsHost, ...sent }),
        });
      });
    });
    describe("at the portal itself", () => {
      define(() => {
        const { docsUrl, docsHost, adminToken, portalUrl } = deployment();
        return underTest(deployment(), portalUrl, {
          origin: docsUrl,
          adminToken,
          send: (sent) => send(portalUrl, { host: docsHost, ...sent }),
        });
      });
    });
  });
}

function underTest(deployment: Deployment, url: string, target: ConsoleTarget): ConsoleUnderTest {
  return {
    ...target,
    url,
    issueKey: deployment.issueKey,
    lookUp: (key) => deployment.send({ path: `/v1/geo?key=${key}` }),
    signedOut: () => consoleClient(target),
    async operator() {
      const client = consoleClient(target);
      await client.signIn();
      return client;
    },
  };
}
