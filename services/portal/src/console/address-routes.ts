import { isIP } from "node:net";
import { REPORT_FIELDS } from "@geolookup/shared/domain/data-report.ts";
import { canonicalAddress, parseTrustProxy } from "@geolookup/shared/runtime/http/client-address.ts";
import { explainAddress } from "@geolookup/shared/runtime/http/explain-address.ts";
import { type Request, type Response, Router } from "express";
import type { ReportState } from "../deployment/kept-report.ts";
import {
  ADDRESS_PATH,
  type AddressInput,
  addressesNotSetUp,
  addressPage,
  MAX_FORWARDED_LENGTH,
  type Walk,
} from "./address-page.ts";
import type { AddressFound } from "./address-result.ts";
import { type ConsoleContext, hiddenOf } from "./context.ts";
import { sessionForm } from "./csrf.ts";
import { formFields } from "./forms.ts";
import { sendPage } from "./frame.ts";

type Content = Pick<Parameters<typeof addressPage>[0], "input" | "problem" | "walk" | "found">;

const NOT_AN_ADDRESS = "That isn't a valid IP address. Enter one such as 192.0.2.1 or 2001:db8::1.";

/** The page that looks up an address. The address is in the form's body, because URLs end up in logs and histories. */
export function addressRoutes(context: ConsoleContext, trustProxy: string): Router {
  const { backend, deployment } = context;
  const empty: AddressInput = { address: "", peer: "", forwardedFor: "", trustProxy };
  const router = Router({ caseSensitive: true, strict: true });
  const send = (res: Response, options: Content) => {
    const hidden = hiddenOf(res);
    const content = backend.explain === null ? addressesNotSetUp() : addressPage({ ...options, hidden, trustProxy });
    const status = options.problem === undefined ? 200 : 400;
    sendPage(res, context, "Look up an address", content, { path: ADDRESS_PATH, status });
  };
  const find = async (address: string): Promise<{ found?: AddressFound }> => {
    if (backend.explain === null) return {};
    const [explained, databases, report] = await Promise.all([
      backend.explain(address),
      deployment().databases(),
      deployment().report(),
    ]);
    return { found: { address, explained, databases, never: fieldsWithoutData(report) } };
  };

  router.get("/address", (_req, res) => send(res, { input: empty }));
  router.post("/address", sessionForm(context), async (req: Request, res: Response) => {
    const field = formFields(req);
    if (field("request") === "") {
      const input = { ...empty, address: field("address").trim() };
      const address = addressIn(input.address);
      if (address === null) return send(res, { input, problem: { of: "address", text: NOT_AN_ADDRESS } });
      return send(res, { input, ...(await find(address)) });
    }
    const input = {
      ...empty,
      peer: field("peer").trim(),
      forwardedFor: field("forwardedFor").trim(),
      trustProxy: field("trustProxy").trim(),
    };
    const walked = walk(input);
    if ("of" in walked) return send(res, { input, problem: walked });
    send(res, { input, walk: walked, ...(await find(walked.caller)) });
  });
  return router;
}

/** The address in its canonical form; null if it isn't one. */
function addressIn(text: string): string | null {
  return isIP(text) === 0 || text.includes("%") ? null : canonicalAddress(text);
}

/** How the caller of a request is determined, or what is wrong with a field of the form. */
function walk({ peer, forwardedFor, trustProxy }: AddressInput): Walk | { of: keyof AddressInput; text: string } {
  if (addressIn(peer) === null) return { of: "peer", text: NOT_AN_ADDRESS };
  if (forwardedFor.length > MAX_FORWARDED_LENGTH) return { of: "forwardedFor", text: "The header is too long." };
  try {
    parseTrustProxy(trustProxy);
  } catch (error) {
    return { of: "trustProxy", text: (error as Error).message };
  }
  return explainAddress(trustProxy, peer, forwardedFor === "" ? undefined : forwardedFor);
}

/** The fields that the databases in use never have, according to the data report. Empty without a report. */
function fieldsWithoutData(state: ReportState): ReadonlySet<string> {
  if (typeof state === "string") return new Set();
  const { ipv4, ipv6 } = state.report.coverage.all;
  return new Set(REPORT_FIELDS.filter((name) => (ipv4.known[name]?.[0] ?? 0) + (ipv6.known[name]?.[0] ?? 0) === 0));
}
