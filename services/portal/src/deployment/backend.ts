import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { Key__Output as WireKey } from "@geolookup/shared/generated/geolookup/auth/v1/Key.ts";
import {
  auditEntryFromWire,
  customerFromWire,
  type IssuedKeyView,
  issuedKeyFromWire,
  type KeyView,
  keyFromWire,
  kindToWire,
  operatorFromWire,
  plansFromWire,
} from "@geolookup/shared/runtime/grpc/admin-views.ts";
import type { CallOptions, Method } from "@geolookup/shared/runtime/grpc/client.ts";
import { CHANGE_DEADLINE_MS } from "@geolookup/shared/runtime/grpc/limits.ts";
import { AUDIT, KEY_ADMIN, OPERATORS } from "@geolookup/shared/runtime/grpc/services.ts";
import { type PageRequest, type Reads, readsOf } from "./reads.ts";
import type { Call, Services } from "./services.ts";

/** Which entries of the audit trail; nothing and an empty string match any. */
export interface AuditFilter {
  by?: string;
  action?: string;
  subject?: string;
  /** RFC 3339, UTC. */
  since?: string;
  until?: string;
}

export interface IssueRequest {
  kind: string;
  plan: string;
  label: string;
  origins: string[];
  mayForward: boolean;
  /** RFC 3339, UTC; empty: never. */
  expiresAt: string;
  /** The customer's ID; empty: none. */
  customer: string;
  metadata?: Record<string, string>;
}

/** What can be changed of a key. An empty expiry or customer removes it. */
export interface KeyProperties {
  origins?: string[];
  metadata?: Record<string, string>;
  customer?: string;
  expiresAt?: string;
  plan?: string;
  label?: string;
}

/** A change of a key names the version that it applies to (0: any). If the key has another one, the call fails with `conflict`. */
export type KeyChange = KeyProperties & { expectedVersion: number };

type SetProperty = Method<KeyProperties & { keyId: string; expectedVersion: number }, WireKey>;

/** The calls that change properties, in the order in which they're made: what auth refuses most often comes first. */
const SETTERS: Readonly<Record<keyof KeyProperties, SetProperty>> = {
  origins: KEY_ADMIN.SetOrigins,
  metadata: KEY_ADMIN.SetMetadata,
  customer: KEY_ADMIN.SetCustomer,
  expiresAt: KEY_ADMIN.SetExpiry,
  plan: KEY_ADMIN.SetPlan,
  label: KEY_ADMIN.SetLabel,
};

/** A property of a key that couldn't be saved, after those that were. */
export class KeyChangeError extends ServiceError {
  readonly property: keyof KeyProperties;
  readonly saved: readonly (keyof KeyProperties)[];

  constructor({ code, message, cause }: ServiceError, property: keyof KeyProperties, saved: KeyChangeError["saved"]) {
    super(code, message, { cause });
    this.property = property;
    this.saved = saved;
  }
}

/** A customer's settings. `monthlyRequests` null: the plan's quota. What is absent stays as it is. */
export interface CustomerSettings {
  name?: string;
  plan?: string;
  monthlyRequests?: number | null;
}

/** All calls of auth, usage and geo by what they do. Every method throws ServiceError. */
export interface Backend extends Reads, ReturnType<typeof changesOf> {
  /** The same calls, as an operator whom the portal vouches for. */
  as(operator: NonNullable<CallOptions["operator"]>): Backend;
}

/** @param caller whose calls of auth they are. Default: the portal's own, with the admin token. Usage and geo don't ask. */
export function createBackend(services: Services, caller: Pick<CallOptions, "operator" | "token"> = {}): Backend {
  const admin: Call = (method, request, options) => services.auth(method, request, { ...caller, ...options });
  return {
    ...readsOf(services, admin),
    ...changesOf(admin),
    as: (operator) => createBackend(services, { operator }),
  };
}

/** What auth allows only to some operators. */
function changesOf(admin: Call) {
  const change: Call = (method, request, options) =>
    admin(method, request, { deadlineMs: CHANGE_DEADLINE_MS, ...options });
  return {
    /** Records a sign-in, a sign-out or a refused sign-in in the audit trail. */
    async record(
      action: "SignedIn" | "SignedOut" | "SignInRefused",
      { name, source }: { name: string; source: string },
    ): Promise<void> {
      await admin(AUDIT.RecordEntry, { action, by: name, subject: source });
    },
    issueKey: async (request: IssueRequest): Promise<IssuedKeyView> =>
      issuedKeyFromWire(await change(KEY_ADMIN.IssueKey, toWire(request))),
    /** A key that isn't issued yet. */
    async prepareKey(request: IssueRequest) {
      const { keys, problems } = await change(KEY_ADMIN.PrepareKeys, { keys: [toWire(request)] });
      const [{ keyId = "", secret = "" } = {}] = keys;
      const [{ message = "" } = {}] = problems;
      if (problems.length > 0) throw new ServiceError("invalid", message);
      return { keyId, secret };
    },
    /** Issues a prepared key, once. */
    async issuePreparedKey(request: IssueRequest, { keyId, secret }: { keyId: string; secret: string }) {
      const { keys } = await change(KEY_ADMIN.IssueKeys, { keys: [{ ...toWire(request), keyId, secret }] });
      return keyFromWire(keys[0] ?? { origins: [] });
    },
    /**
     * Each property is an event of its own.
     * @returns the changed key; null if there is nothing to change.
     * @throws KeyChangeError
     */
    async changeKey(keyId: string, keyChange: KeyChange, deadlineMs = CHANGE_DEADLINE_MS): Promise<KeyView | null> {
      let key: KeyView | null = null;
      const saved: (keyof KeyProperties)[] = [];
      for (const name of Object.keys(SETTERS) as (keyof KeyProperties)[]) {
        if (keyChange[name] === undefined) continue;
        const expectedVersion: number = key?.version ?? keyChange.expectedVersion;
        try {
          const request = { keyId, [name]: keyChange[name], expectedVersion };
          key = keyFromWire(await change(SETTERS[name], request, { deadlineMs }));
        } catch (error) {
          throw error instanceof ServiceError ? new KeyChangeError(error, name, saved) : error;
        }
        saved.push(name);
      }
      return key;
    },
    /** Issues a successor. @param overlapSeconds how long both keys work. @param expectedVersion of the key; 0: any. */
    rotateKey: async (keyId: string, overlapSeconds: number, expectedVersion = 0): Promise<IssuedKeyView> =>
      issuedKeyFromWire(await change(KEY_ADMIN.RotateKey, { keyId, overlapSeconds, expectedVersion })),
    /** It must always succeed, so it names no version. */
    revokeKey: async (keyId: string, reason: string, deadlineMs = CHANGE_DEADLINE_MS) =>
      keyFromWire(await change(KEY_ADMIN.RevokeKey, { keyId, reason }, { deadlineMs })),
    disableKey: async (keyId: string, reason: string) =>
      keyFromWire(await change(KEY_ADMIN.DisableKey, { keyId, reason })),
    enableKey: async (keyId: string) => keyFromWire(await change(KEY_ADMIN.EnableKey, { keyId })),
    addCustomer: async (id: string, { monthlyRequests = null, ...settings }: CustomerSettings) =>
      customerFromWire(
        await change(KEY_ADMIN.AddCustomer, { id, ...settings, ...(monthlyRequests !== null && { monthlyRequests }) }),
      ),
    /** @param expectedVersion 0: any. */
    async changeCustomer(id: string, { monthlyRequests, ...settings }: CustomerSettings, expectedVersion: number) {
      const quota =
        monthlyRequests === null ? { hasPlanQuota: true } : monthlyRequests !== undefined && { monthlyRequests };
      return customerFromWire(await change(KEY_ADMIN.ChangeCustomer, { id, ...settings, ...quota, expectedVersion }));
    },
    disableCustomer: async (id: string, reason: string) =>
      customerFromWire(await change(KEY_ADMIN.DisableCustomer, { id, reason })),
    enableCustomer: async (id: string) => customerFromWire(await change(KEY_ADMIN.EnableCustomer, { id })),
    /** Puts the plans file with this hash in force. */
    confirmPlans: async (hash: string) => plansFromWire(await change(KEY_ADMIN.ConfirmPlans, { hash })),
    listOperators: async () => (await admin(OPERATORS.ListOperators, {})).operators.map(operatorFromWire),
    /** Returns the operator with a token, the only time. @param expiresAt RFC 3339, UTC; empty: never. */
    async addOperator(name: string, role: string, expiresAt: string) {
      const { token = "", operator } = await change(OPERATORS.AddOperator, { name, role, expiresAt });
      return { ...operatorFromWire(operator ?? {}), token };
    },
    async replaceOperatorToken(name: string, expiresAt: string) {
      const { token = "", operator } = await change(OPERATORS.ReplaceOperatorToken, { name, expiresAt });
      return { ...operatorFromWire(operator ?? {}), token };
    },
    setOperatorRole: async (name: string, role: string) =>
      operatorFromWire(await change(OPERATORS.SetOperatorRole, { name, role })),
    removeOperator: async (name: string) => operatorFromWire(await change(OPERATORS.RemoveOperator, { name })),
    /** Newest first. */
    async auditEntries(filter: AuditFilter, { size, token }: PageRequest) {
      const request = { ...filter, pageSize: size, pageToken: token };
      const { entries, nextPageToken = "" } = await admin(AUDIT.ListEntries, request);
      return { entries: entries.map(auditEntryFromWire), nextPageToken };
    },
  };
}

function toWire({ kind, ...request }: IssueRequest) {
  return { ...request, kind: kindToWire(kind) };
}
