import type { KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { isKeyId } from "./fields.ts";
import { FormError } from "./forms.ts";

const MAX_SELECTED = 100;

/** A key, with its version when the operator selected it. */
export interface SelectedKey {
  keyId: string;
  version: number;
  /** The plan that an undo restores; null for other changes. */
  plan: string | null;
}

/** A selected key as forms send it. @param plan for undoing only. */
export function selectedKey({ keyId, version }: Pick<KeyView, "keyId" | "version">, plan?: string): string {
  return [keyId, version, ...(plan === undefined ? [] : [plan])].join(":");
}

/**
 * Reads selected keys from the values of a form.
 * @throws FormError for values that no form of the console sends, and for more keys than the console would send.
 */
export function readSelectedKeys(values: readonly string[]): SelectedKey[] {
  if (values.length > MAX_SELECTED)
    throw new FormError(
      400,
      `You can change at most ${MAX_SELECTED} keys at a time, but you selected ${values.length}. Nothing was changed.`,
    );
  const keys = new Map<string, SelectedKey>();
  for (const value of values) {
    const [, keyId = "", version = "", plan] = /^([^:]*):([1-9]\d{0,8})(?::([^:]{1,64}))?$/.exec(value) ?? [];
    if (!isKeyId(keyId)) throw new FormError(400, "That isn't a selection of keys. Reload the list and try again.");
    keys.set(keyId, { keyId, version: Number(version), plan: plan ?? null });
  }
  return [...keys.values()];
}
