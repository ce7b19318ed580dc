import { z } from "zod";

/** The schemas of the OpenAPI document, by name. */
export const COMPONENTS = z.registry<{ id: string }>();

function component<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  COMPONENTS.add(schema, { id });
  return schema;
}

const time = () => z.string().meta({ format: "date-time" });
const count = () => z.int().min(0);
const replayed = z
  .literal(true)
  .exactOptional()
  .describe("Only if the request repeats one with the same Idempotency-Key, and changed nothing.");

/** A list's page. */
export function pageOf<Item extends z.ZodType>(id: string, item: Item) {
  const next = z.string().nullable().describe("The `cursor` of the next page; null on the last page.");
  return component(id, z.object({ items: z.array(item), next }));
}

export const QUOTA = component(
  "Quota",
  z.object({
    id: z.string().describe("A key's ID, or `customer_` and a customer's ID."),
    monthlyRequests: count(),
    from: z.string().exactOptional().describe("The month (YYYY-MM) from which on it applies. Absent: now."),
  }),
);

export const KEY = component(
  "Key",
  z.object({
    keyId: z.string(),
    kind: z.enum(["publishable", "secret"]),
    plan: z.string(),
    limits: z
      .object({
        perCallerHourly: count().exactOptional(),
        perSecond: count().exactOptional(),
        burst: count().exactOptional(),
      })
      .exactOptional()
      .describe("The plan's limits besides its monthly quota. Absent: none."),
    label: z.string(),
    origins: z.array(z.string()).describe("The origins that may use it. Empty: any."),
    display: z.string().describe("Identifies the key, but doesn't work as one."),
    mayForward: z.literal(true).exactOptional().describe("Set if it may look up visitors."),
    status: z.enum(["active", "revoked", "expired", "disabled", "rotated"]),
    createdAt: time(),
    revokedAt: time().exactOptional(),
    revokedReason: z.string().exactOptional(),
    version: count().describe("Grows with every change."),
    expiresAt: time().exactOptional(),
    disabledAt: time().exactOptional(),
    disabledReason: z.string().exactOptional(),
    rotatedFrom: z.string().exactOptional().describe("The ID of the key that it replaces."),
    rotatedTo: z.string().exactOptional().describe("The ID of its successor."),
    endsAt: time().exactOptional().describe("When a rotated key ends."),
    customer: z.string().exactOptional(),
    metadata: z.record(z.string(), z.string()).exactOptional(),
    quota: QUOTA.exactOptional().describe("What its requests count toward in this month."),
    lastUsed: z
      .string()
      .nullable()
      .exactOptional()
      .describe("Only of a single key: the last day with a request; null if there is none, or usage isn't available."),
    nextQuota: QUOTA.exactOptional().describe("What they count toward from the next month on, if that changes."),
    replayed,
  }),
);

export const ISSUED_KEY = component(
  "IssuedKey",
  KEY.extend({
    key: z.string().exactOptional().describe("The key. It is stored nowhere, so a repeated request returns none."),
  }),
);

export const FOUND_KEYS = component(
  "FoundKeys",
  z.object({ items: z.array(KEY.extend({ index: count().describe("The place of the text in the request.") })) }),
);

const DAYS = z.array(z.object({ day: z.string(), requests: count() })).describe("Days with requests, ascending.");

const REFUSALS = z
  .array(z.object({ code: z.string().describe("The error code."), total: count(), days: DAYS }))
  .describe("Refused requests, which count toward no quota, the most frequent code first.");

export const USAGE = component(
  "Usage",
  z.object({ keyId: z.string(), month: z.string(), total: count(), days: DAYS, refusals: REFUSALS }),
);

export const CUSTOMER_USAGE = component(
  "CustomerUsage",
  z.object({
    customer: z.string(),
    month: z.string(),
    total: count(),
    days: DAYS,
    keys: z.array(z.object({ keyId: z.string(), total: count() })).describe("Most requests first, at most 1,000."),
  }),
);

export const HISTORY = component(
  "History",
  z.object({
    items: z.array(
      z.object({
        id: z.string(),
        type: z.string(),
        keyId: z.string(),
        version: count(),
        at: time(),
        by: z.string().describe("The operator."),
        data: z.unknown(),
      }),
    ),
  }),
);

export const CUSTOMER = component(
  "Customer",
  z.object({
    id: z.string(),
    name: z.string(),
    plan: z.string(),
    monthlyRequests: count().exactOptional().describe("A quota of its own. Absent: the plan's."),
    quota: QUOTA.exactOptional().describe("The quota that applies."),
    status: z.enum(["active", "disabled"]),
    createdAt: time(),
    disabledAt: time().exactOptional(),
    disabledReason: z.string().exactOptional(),
    version: count(),
    keys: count(),
    activeKeys: count(),
    replayed,
  }),
);

export const PLANS_CHECK = component(
  "PlansCheck",
  z.object({
    hash: z.string(),
    differences: z.array(
      z.object({
        plan: z.string(),
        field: z.string().describe("A field of the plan, or `plan` if the whole plan is new or removed."),
        old: z.unknown(),
        new: z.unknown(),
        keys: count().describe("Active keys with the plan."),
      }),
    ),
    holds: z.array(z.string()).describe("Why the change needs to be confirmed."),
  }),
);

export const PLANS = component(
  "Plans",
  z.object({
    plans: z.record(z.string(), z.unknown()).describe("As in a plans file."),
    hash: z.string(),
    version: count(),
    at: z.string(),
    by: z.string(),
    held: PLANS_CHECK.nullable().describe("What the plans file would change; null if it is in force."),
    replayed,
  }),
);

export const AUDIT_ENTRY = component(
  "AuditEntry",
  z.object({
    id: z.string(),
    at: time(),
    by: z.string(),
    action: z.string(),
    subject: z.string(),
    before: z.unknown().describe("The changed properties; null: none."),
    after: z.unknown(),
    count: z.int().min(1).describe("How many it sums up."),
  }),
);

export const OPERATOR = component(
  "Operator",
  z.object({
    name: z.string(),
    role: z.enum(["viewer", "operator", "admin"]),
    createdAt: z.string(),
    expiresAt: time().exactOptional(),
    removedAt: time().exactOptional(),
    version: count(),
    replayed,
  }),
);

export const ISSUED_OPERATOR = component(
  "IssuedOperator",
  OPERATOR.extend({
    token: z.string().exactOptional().describe("The token. It is stored nowhere, so a repeated request returns none."),
  }),
);

export const DATA = component(
  "DataStatus",
  z.object({
    databases: z.array(
      z.object({
        name: z.string(),
        databaseType: z.string(),
        builtAt: time(),
        attribution: z.string(),
      }),
    ),
    versions: z
      .array(
        z.object({
          name: z.string(),
          isInUse: z.boolean(),
          installedAt: z.string(),
          sources: z.array(z.string()),
        }),
      )
      .describe("The installed versions, oldest first. Empty if the operator names the files."),
    isRefreshed: z.boolean().describe("Whether newer data is looked for once a day."),
    nextRunAt: z.string().nullable(),
    lastRunAt: z.string().nullable(),
    lastOutcome: z.string().nullable().describe("`updated`, `unchanged`, `refused` or `failed`."),
    problem: z.string().nullable(),
  }),
);

export const ERROR = component(
  "Error",
  z.object({ error: z.object({ code: z.string(), message: z.string(), docs: z.string() }) }),
);
