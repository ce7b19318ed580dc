import type { Deployment } from "../deployment.ts";
import { type Answer, send } from "../http.ts";
import { onEveryDeployment } from "../suite.ts";
import { type ConsoleClient, type ConsoleTarget, consoleClient } from "./console-client.ts";

export interface ConsoleUnderTest extends ConsoleTarget {
  /** A browser that nobody signed in with. */
  stranger(): ConsoleClient;
  /** A browser that is signed in, with cookies of its own. */
  operator(): Promise<ConsoleClient>;
  /** A request to the API with a key. */
  lookUp(key: string): Promise<Answer>;
}

/**
 * Registers a suite for the console of every deployment: as the gateway's docs host has it, and at the portal's own
 * address.
 */
export function onEveryConsole(title: string, define: (console: () => ConsoleUnderTest) => void): void {
  onEveryDeployment(title, (deployment) => {
    describe("through the gateway", () => {
      define(() => {
        const { docsUrl, docsHost, adminToken } = deployment();
        return underTest(deployment(), {
          origin: docsUrl,
          adminToken,
          send: (sent) => deployment().send({ host: docsHost, ...sent }),
        });
      });
    });
    describe("at the portal itself", () => {
      define(() => {
        const { docsUrl, docsHost, adminToken, portalUrl } = deployment();
        return underTest(deployment(), {
          origin: docsUrl,
          adminToken,
          send: (sent) => send(portalUrl, { host: docsHost, ...sent }),
        });
      });
    });
  });
}

function underTest(deployment: Deployment, target: ConsoleTarget): ConsoleUnderTest {
  return {
    ...target,
    lookUp: (key) => deployment.send({ path: `/v1/geo?key=${key}` }),
    stranger: () => consoleClient(target),
    async operator() {
      const client = consoleClient(target);
      await client.signIn();
      return client;
    },
  };
}
