import { isIP } from "node:net";
import { type Request, type Response, Router } from "express";
import { ADDRESS_PATH, addressesNotSetUp, addressPage } from "./address-page.ts";
import { type ConsoleContext, sessionOf } from "./context.ts";
import { csrfTokenField, requireCsrfToken } from "./csrf.ts";
import { FORM_BYTES, formBody, formFields } from "./forms.ts";
import { sendPage } from "./frame.ts";

/** The page that looks an address up. The address comes in a form's body, because URLs end up in logs and histories. */
export function addressRoutes(context: ConsoleContext): Router {
  const { backend, sessions } = context;
  const router = Router({ caseSensitive: true, strict: true });
  const send = (res: Response, options: Omit<Parameters<typeof addressPage>[0], "hidden">) => {
    const hidden = csrfTokenField(sessions.csrfToken(sessionOf(res)));
    const content = backend.explain === null ? addressesNotSetUp() : addressPage({ ...options, hidden });
    const status = options.problem === undefined ? 200 : 400;
    sendPage(res, context, "Look up an address", content, { path: ADDRESS_PATH, status });
  };
  router.get("/address", (_req, res) => send(res, { address: "" }));
  router.post("/address", formBody(FORM_BYTES), requireCsrfToken(context), async (req: Request, res: Response) => {
    const address = formFields(req)("address").trim();
    if (backend.explain === null) return send(res, { address });
    if (isIP(address) === 0 || address.includes("%"))
      return send(res, {
        address,
        problem: "That isn't a valid IP address. Enter one such as 192.0.2.1 or 2001:db8::1.",
      });
    send(res, { address, found: await backend.explain(address) });
  });
  return router;
}
