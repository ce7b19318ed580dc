import { expect } from "chai";
import { consoleBrowser } from "../harness/console/console-suite.ts";
import { onEveryDeployment } from "../harness/suite.ts";
import { waitFor } from "../harness/wait-for.ts";

const PER_SECOND = 50;
const SIGN_INS = 3;
const SIGN_IN_TIMEOUT_MS = 5_000;
const GUESSER = "44.200.0.1";

onEveryDeployment("console: guessed tokens", (deployment) => {
  const client = (from: string) => consoleBrowser(deployment(), from);

  for (const [what, guesserAt] of [
    ["one address", () => GUESSER],
    ["many addresses", (count: number) => `44.201.${count >> 8}.${count & 255}`],
  ] as const)
    for (const [whose, operatorAt] of [
      ["of their own address", "44.202.0.1"],
      ["of the guesser's address", GUESSER],
    ] as const)
      it(`at ${PER_SECOND} a second from ${what} don't lock out an operator ${whose}`, async function () {
        this.timeout(SIGN_INS * SIGN_IN_TIMEOUT_MS * 2);
        const statuses: number[] = [];
        const underWay = new Set<Promise<unknown>>();
        const attack = setInterval(() => {
          const guess = client(guesserAt(statuses.length + underWay.size))
            .post("/console/sign-in", { token: `wrong-${statuses.length}-of-some-length` })
            .then(({ status }) => statuses.push(status))
            .finally(() => underWay.delete(guess));
          underWay.add(guess);
        }, 1_000 / PER_SECOND);
        try {
          for (let count = 0; count < SIGN_INS; count += 1) {
            const enough = statuses.length + PER_SECOND / 2;
            await waitFor("wrong tokens to be refused", () => statuses.length >= enough, SIGN_IN_TIMEOUT_MS);
            const late = AbortSignal.timeout(SIGN_IN_TIMEOUT_MS);
            await client(operatorAt).signIn();
            expect(late.aborted, "signing in took over 5 s").to.equal(false);
          }
        } finally {
          clearInterval(attack);
          await Promise.allSettled(underWay);
        }
        for (const status of statuses) expect(status).to.be.oneOf([403, 429]);
      });
});
