import { expect } from "chai";
import { consoleBrowser } from "./console/console-suite.ts";
import { attackDocs } from "./docs-attack.ts";
import { startLoad } from "./load.ts";
import type { onOneDeployment } from "./suite.ts";
import { waitFor } from "./wait-for.ts";

/** API requests during each attack. */
const LOAD_REQUESTS = 300;
const SIGN_IN_TIMEOUT_MS = 5_000;
const BACK_TIMEOUT_MS = 10_000;
const OVER_TIMEOUT_MS = 60_000;
const TEST_TIMEOUT_MS = 120_000;

/**
 * Registers a suite that attacks the docs host with slow forms and pages at the same time.
 * @param onDeployments which deployments it attacks.
 */
export function onAttackedDocs(onDeployments: typeof onOneDeployment, attack: { forms: number; pages: number }): void {
  onDeployments(`docs host under ${attack.forms} slow forms and ${attack.pages} requests for pages`, (deployment) => {
    it("the API is unaffected, an operator can sign in, and the docs recover immediately", async function () {
      this.timeout(TEST_TIMEOUT_MS);
      const { url, docsHost, send } = deployment();
      const { key, keyId } = await deployment().issueKey();
      const page = () => send({ path: "/errors/not_found", host: docsHost });
      const load = startLoad({ urls: [url], keys: [{ key, keyId, sent: 0, served: 0 }] });
      // Lets the gateway cache the key: on a machine that is busy with the attack, authorizing a new key may take too long.
      await load.more(LOAD_REQUESTS);
      const attacked = attackDocs(url, docsHost, attack);
      try {
        await load.more(LOAD_REQUESTS);
        const operator = consoleBrowser(deployment());
        await waitFor("an operator to sign in", () => operator.signIn().then(() => true), SIGN_IN_TIMEOUT_MS);
        await waitFor("the pages to be over", attacked.pagesAreOver, OVER_TIMEOUT_MS);
        await waitFor(
          "the docs to respond during slow forms",
          async () => (await page()).status === 200,
          BACK_TIMEOUT_MS,
        );
      } finally {
        attacked.stop();
      }
      await waitFor("the docs to be back", async () => (await page()).status === 200, BACK_TIMEOUT_MS);
      const { statuses, errors } = await load.stop();
      expect({ statuses: Object.keys(statuses), errors }).to.deep.equal({ statuses: ["200"], errors: {} });
      // Over TLS, some may not even finish the handshake in time.
      const known = url.startsWith("https:") ? ["200", "503", ""] : ["200", "503"];
      for (const status of Object.keys(attacked.pageStatuses)) expect(status).to.be.oneOf(known);
    });
  });
}
