import type { KeyEvent } from "@geolookup/shared/domain/key-event.ts";
import { planEntries, plansHash } from "@geolookup/shared/domain/plans.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { Event as WireEvent } from "@geolookup/shared/generated/geolookup/auth/v1/Event.ts";
import type { GetPlansResponse as WirePlans } from "@geolookup/shared/generated/geolookup/auth/v1/GetPlansResponse.ts";
import type { Key as WireKey } from "@geolookup/shared/generated/geolookup/auth/v1/Key.ts";
import type { KeyKind__Output as WireKeyKind } from "@geolookup/shared/generated/geolookup/auth/v1/KeyKind.ts";
import type { ListKeysRequest__Output as WireListRequest } from "@geolookup/shared/generated/geolookup/auth/v1/ListKeysRequest.ts";
import type { PlansCheck as WireCheck } from "@geolookup/shared/generated/geolookup/auth/v1/PlansCheck.ts";
import { callerOf, type Identify, type ServedService, serve } from "@geolookup/shared/runtime/grpc/served-service.ts";
import { KEY_ADMIN } from "@geolookup/shared/runtime/grpc/services.ts";
import { enumName, limitsToWire } from "@geolookup/shared/runtime/grpc/wire.ts";
import type { IssuedKey } from "../keys/issued-key.ts";
import type { KeyAdmin, ListRequest } from "../keys/key-admin.ts";
import type { PlansCheck, PlansKeeper } from "../plans/keep-plans.ts";

const DEFAULT_PAGE_SIZE = 100;
const MAX_PAGE_SIZE = 1_000;

/** Fits 100 of the longest origins twice: 400 characters each, up to three bytes per character. */
const MAX_REQUEST_BYTES = 256 * 1_024;

/** Serves KeyAdmin of proto/auth/v1. The caller's name is recorded with each change. */
export function keyAdminService(admin: KeyAdmin, plans: PlansKeeper, identify: Identify): ServedService {
  const keyToWire = (key: IssuedKey): WireKey => {
    const limits = admin.limitsOf(key.plan);
    return { ...key, kind: enumName(key.kind), ...(limits && { limits: limitsToWire(limits) }) };
  };
  return serve(
    KEY_ADMIN,
    {
      IssueKey: async ({ kind, plan = "", label = "", origins, mayForward }, metadata) => {
        const issued = await admin.issue(
          { kind: kindOf(kind), plan, label, origins, ...(mayForward && { mayForward }) },
          callerOf(metadata).name,
        );
        return { secret: issued.secret, key: keyToWire(issued.key) };
      },
      ListKeys: async (request) => {
        const { keys, lastKeyId } = await admin.list(listRequest(request));
        return { keys: keys.map(keyToWire), nextPageToken: lastKeyId ?? "", total: admin.count() };
      },
      GetKey: ({ keyId = "" }) => keyToWire(admin.get(keyId)),
      RevokeKey: async ({ keyId = "", reason = "" }, metadata) =>
        keyToWire(await admin.revoke(keyId, reason, callerOf(metadata).name)),
      SetPlan: async ({ keyId = "", plan = "", expectedVersion }, metadata) =>
        keyToWire(await admin.setPlan(keyId, plan, callerOf(metadata).name, expectedVersion || null)),
      SetOrigins: async ({ keyId = "", origins, expectedVersion }, metadata) =>
        keyToWire(await admin.setOrigins(keyId, origins, callerOf(metadata).name, expectedVersion || null)),
      SetLabel: async ({ keyId = "", label = "", expectedVersion }, metadata) =>
        keyToWire(await admin.setLabel(keyId, label, callerOf(metadata).name, expectedVersion || null)),
      GetPlans: () => plansToWire(plans),
      CheckPlans: async ({ text = "" }) => checkToWire(await plans.check(text)),
      ConfirmPlans: async ({ hash = "" }, metadata) => {
        await plans.confirm(hash, callerOf(metadata).name);
        return plansToWire(plans);
      },
      GetHistory: async ({ keyId = "" }) => ({ events: (await admin.history(keyId)).map(eventToWire) }),
    },
    { identify, maxRequestBytes: MAX_REQUEST_BYTES },
  );
}

/** Omits unset fields, which match every key. */
function listRequest(request: WireListRequest): ListRequest {
  const { search, kind, plan, status, pageSize, pageToken, sort, isDescending = false, keyIds } = request;
  if (keyIds.length > MAX_PAGE_SIZE)
    throw new ServiceError("invalid", `a list can name at most ${MAX_PAGE_SIZE} keys, not ${keyIds.length}`);
  return {
    ...(search && { search }),
    ...(kind && kind !== "KEY_KIND_UNSPECIFIED" && { kind: kindOf(kind) }),
    ...(plan && { plan }),
    ...(status && { status: statusOf(status) }),
    ...(sort && { order: orderOf(sort) }),
    isDescending,
    ...(keyIds.length > 0 && { keyIds }),
    after: pageToken || null,
    pageSize: Math.min(pageSize || DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE),
  };
}

function statusOf(status: string) {
  if (status === "active" || status === "revoked") return status;
  throw new ServiceError("invalid", "a key's status must be active or revoked");
}

const ORDERS = ["issued", "label", "kind", "plan", "status"] as const;

function orderOf(sort: string) {
  const order = ORDERS.find((each) => each === sort);
  if (order === undefined) throw new ServiceError("invalid", `keys can be sorted by ${ORDERS.join(", ")}`);
  return order;
}

function kindOf(kind: WireKeyKind | undefined) {
  if (kind === "PUBLISHABLE") return "publishable";
  if (kind === "SECRET") return "secret";
  throw new ServiceError("invalid", "a key's kind must be publishable or secret");
}

function plansToWire(plans: PlansKeeper): WirePlans {
  const current = plans.current();
  const { version = 0, at = "", by = "" } = plans.lastChange() ?? {};
  const held = plans.held();
  const plansJson = JSON.stringify(planEntries(current));
  return { plansJson, hash: plansHash(current), version, at, by, ...(held && { held: checkToWire(held) }) };
}

function checkToWire({ differences, ...check }: PlansCheck): WireCheck {
  const toWire = ({ old, new: changed, ...difference }: (typeof differences)[0]) => ({
    ...{ ...difference, oldJson: JSON.stringify(old), newJson: JSON.stringify(changed) },
  });
  return { ...check, differences: differences.map(toWire) };
}

function eventToWire({ data, ...event }: KeyEvent): WireEvent {
  return { ...event, dataJson: JSON.stringify(data) };
}
