import type { Deployment } from "../deployment.ts";
import { type HttpResponse, send as sendTo } from "../http.ts";
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

/** The ways to reach a console. */
const ROUTES = {
  "through the gateway": (deployment: Deployment) => {
    const { docsUrl, docsHost, adminToken, url } = deployment;
    const send: ConsoleTarget["send"] = (sent) => deployment.send({ host: docsHost, ...sent });
    return underTest(deployment, url, { origin: docsUrl, adminToken, send });
  },
  "at the portal itself": (deployment: Deployment) => {
    const { docsUrl, docsHost, adminToken, portalUrl } = deployment;
    return underTest(deployment, portalUrl, {
      origin: docsUrl,
      adminToken,
      send: (sent) => sendTo(portalUrl, { host: docsHost, ...sent }),
    });
  },
};
type Route = keyof typeof ROUTES;

/** The console is the same everywhere; a cluster's is the farthest from its data. */
let chosenRoutes = (way: string): readonly Route[] => (way === "cluster" ? ["through the gateway"] : []);

/** Suites registered after this test every console in both ways. */
export function testEveryRoute(): void {
  chosenRoutes = () => Object.keys(ROUTES) as Route[];
}

/** Registers a suite for the console of every deployment, through the gateway or at the portal's own address. */
export function onEveryConsole(title: string, define: (console: () => ConsoleUnderTest) => void): void {
  onEveryDeployment(title, (deployment, way) => {
    for (const route of chosenRoutes(way)) describe(route, () => define(() => ROUTES[route](deployment())));
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
