import { checkOidc } from "@geolookup/portal/console/check-oidc.ts";
import { SIGN_IN_VARIABLES, signInSettings } from "@geolookup/portal/console/sign-in-settings.ts";
import { httpUrl, readEnvironment, SECRETS } from "@geolookup/shared/runtime/env/env.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { z } from "zod";
import type { CommandContext } from "../command-line.ts";

/** Checks the settings of OpenID Connect against the issuer, step by step. Exits with status 1 at the first step that fails. */
export async function runCheckOidc({ environment, print }: CommandContext): Promise<number> {
  const env = readEnvironment(z.object({ ...SIGN_IN_VARIABLES, DOCS_URL: httpUrl().optional() }), environment, SECRETS);
  const { oidc } = signInSettings(env);
  if (oidc === null || env.DOCS_URL === undefined)
    throw new StartError(
      "set OIDC_ISSUER, OIDC_CLIENT_ID and DOCS_URL, and the other OIDC_ variables, as the portal has them",
    );
  for await (const { state, text } of checkOidc(oidc, env.DOCS_URL)) {
    print(`${state.padEnd(8)}${text}\n`);
    if (state === "FAIL") return 1;
  }
  return 0;
}
