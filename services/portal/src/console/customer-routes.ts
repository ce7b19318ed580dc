import { periodAt } from "@geolookup/shared/domain/period.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { type Request, type Response, Router } from "express";
import type { CustomerSettings } from "../deployment/backend.ts";
import { orNull } from "../deployment/services.ts";
import { requireRole } from "./access.ts";
import { backendOf, type ConsoleContext, hasRole, hiddenOf } from "./context.ts";
import { sessionForm } from "./csrf.ts";
import { CUSTOMERS_PATH, customerListPage, customerPage, isCustomerId, newCustomerPage } from "./customer-pages.ts";
import { FormError, formFields, queryOf } from "./forms.ts";
import { sendPage } from "./frame.ts";

const CUSTOMERS_ON_PAGE = 100;
/** A customer's page lists this many of its keys. */
const KEYS_ON_PAGE = 50;

/** Customers: their list, and a page for each with its quota, keys and settings. */
export function customerRoutes(context: ConsoleContext): Router {
  const { backend, deployment, clock } = context;
  const router = Router({ caseSensitive: true, strict: true });
  const plans = () => [...(deployment().plans()?.keys() ?? [])];
  const send = (res: Response, title: string, content: Parameters<typeof sendPage>[3], status = 200) =>
    sendPage(res, context, title, content, { path: CUSTOMERS_PATH, status });
  router.param("id", (_req, _res, next, id) => next(isCustomerId(id) ? undefined : "router"));

  router.get("/customers", async (req, res: Response) => {
    const query = queryOf(req.url);
    const [search, after] = [query.get("search") ?? "", query.get("after") ?? ""];
    const page = await backend.listCustomers(search, { size: CUSTOMERS_ON_PAGE, token: after });
    send(res, "Customers", customerListPage({ ...page, search, after, mayChange: hasRole(res, "operator") }));
  });
  const sendNew = (res: Response, draft: Parameters<typeof newCustomerPage>[0]["draft"], problem?: string) =>
    send(
      res,
      "Add a customer",
      newCustomerPage({ draft, problem, plans: plans(), hidden: hiddenOf(res) }),
      problem === undefined ? 200 : 400,
    );
  router.get("/customers/new", requireRole("operator"), (_req, res) =>
    sendNew(res, { id: "", name: "", plan: "", monthlyRequests: "" }),
  );
  const sendCustomer = async (res: Response, id: string, problem?: string) => {
    const customer = await backend.getCustomer(id);
    const { month } = periodAt(clock());
    const [usage, { keys }, history] = await Promise.all([
      orNull(backend.quotaUsage(customer.quota?.id ?? "", month)),
      backend.listKeys({ customer: id }, { size: KEYS_ON_PAGE, token: "" }),
      orNull(backend.history(customer.quota?.id ?? "")),
    ]);
    const keyIds = keys.map(({ keyId }) => keyId);
    const counts = keys.length === 0 ? [] : await orNull(backend.totals(keyIds, month));
    const hidden = hasRole(res, "operator") ? hiddenOf(res) : null;
    const content = customerPage({
      customer,
      used: usage?.total ?? null,
      keys,
      counts,
      history,
      problem,
      plans: plans(),
      hidden,
    });
    send(res, customer.name || id, content, problem === undefined ? 200 : 400);
  };
  router.get("/customers/:id", (req, res) => sendCustomer(res, req.params.id));

  const form = sessionForm(context);
  router.post("/customers/new", form, async (req: Request, res: Response) => {
    const field = formFields(req);
    const draft = {
      ...{ id: field("id").trim(), name: field("name"), plan: field("plan") },
      monthlyRequests: field("monthlyRequests"),
    };
    try {
      await backendOf(res).addCustomer(draft.id, readSettings(draft));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return sendNew(res, draft, error.message);
    }
    res.redirect(303, `${CUSTOMERS_PATH}/${draft.id}`);
  });
  router.post("/customers/:id/settings", form, async (req: Request<{ id: string }>, res: Response) => {
    const { id } = req.params;
    const field = formFields(req);
    const [name, plan, monthlyRequests] = [field("name"), field("plan"), field("monthlyRequests")];
    try {
      const settings = readSettings({ name, plan, monthlyRequests });
      await backendOf(res).changeCustomer(id, settings, Number(field("version")) || 0);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return sendCustomer(res, id, error.message);
    }
    res.redirect(303, `${CUSTOMERS_PATH}/${id}`);
  });
  router.post("/customers/:id/disable", form, async (req: Request<{ id: string }>, res: Response) => {
    await backendOf(res).disableCustomer(req.params.id, formFields(req)("reason"));
    res.redirect(303, `${CUSTOMERS_PATH}/${req.params.id}`);
  });
  router.post("/customers/:id/enable", form, async (req: Request<{ id: string }>, res: Response) => {
    await backendOf(res).enableCustomer(req.params.id);
    res.redirect(303, `${CUSTOMERS_PATH}/${req.params.id}`);
  });
  return router;
}

/** @throws FormError for a quota that isn't a number */
function readSettings({ name, plan, monthlyRequests: text }: Readonly<Record<string, string>>): CustomerSettings {
  const quota = (text ?? "").replace(/[\s,]/g, "");
  if (!/^\d{0,12}$/.test(quota)) throw new FormError(400, "The quota must be a whole number of requests a month.");
  return { name: name ?? "", plan: plan ?? "", monthlyRequests: quota === "" ? null : Number(quota) };
}

/** What the form can be corrected for. */
function isRefusal(error: unknown): error is Error {
  return (
    error instanceof FormError ||
    (error instanceof ServiceError && ["invalid", "conflict", "precondition"].includes(error.code))
  );
}
