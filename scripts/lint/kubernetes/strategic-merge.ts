import type { Json } from "./objects.ts";

/** The field that identifies the items of a list, by the list's name. Other lists are replaced. */
const KEYS: Record<string, string> = {
  containers: "name",
  env: "name",
  volumes: "name",
  volumeMounts: "mountPath",
};

/** Applies a strategic merge patch as Kubernetes does, without its directives (`$patch` and the like). */
export function strategicMerge(base: Json, patch: Json, name = ""): Json {
  if (Array.isArray(patch)) {
    const key = KEYS[name];
    if (key === undefined || !Array.isArray(base)) return patch;
    const added = patch.filter((item) => !base.some((other) => other[key] === item[key]));
    const merged = base.map((item) => {
      const change = patch.find((other) => other[key] === item[key]);
      return change ? strategicMerge(item, change) : item;
    });
    return [...merged, ...added];
  }
  if (!isMap(patch)) return patch;
  const result: Record<string, Json> = isMap(base) ? { ...base } : {};
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete result[field];
    else result[field] = strategicMerge(result[field], value, field);
  }
  return result;
}

function isMap(value: Json): value is Record<string, Json> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
