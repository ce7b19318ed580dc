import { send } from "../http.ts";
import { onEveryDeployment } from "../suite.ts";
import { type ConsoleClient, type ConsoleTarget, consoleClient } from "./console-client.ts";

export interface ConsoleUnderTest extends ConsoleTarget {
  /** A browser that nobody signed in with. */
  stranger(): ConsoleClient;
  /** A browser that is signed in, with cookies of its own. */
  operator(): Promise<ConsoleClient>;
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
        return underTest({
          origin: docsUrl,
          adminToken,
          send: (sent) => deployment().send({ host: docsHost, ...sent }),
        });
      });
    });
    describe("at the portal itself", () => {
      define(() => {
        const { docsUrl, docsHost, adminToken, portalUrl } = deployment();
        return underTest({ origin: docsUrl, adminToken, send: (sent) => send(portalUrl, { host: docsHost, ...sent }) });
      });
    });
  });
}

function underTest(target: ConsoleTarget): ConsoleUnderTest {
  return {
    ...target,
    stranger: () => consoleClient(target),
    async operator() {
      const client = consoleClient(target);
      await client.signIn();
      return client;
    },
  };
}
