import type { PlanLimits } from "../../domain/plans.ts";
import type { Limits__Output as WireLimits } from "../../generated/geolookup/auth/v1/Limits.ts";

export function limitsToWire({ perCallerHourly, rate }: PlanLimits): WireLimits {
  return { ...(perCallerHourly !== null && { perCallerHourly }), ...rate };
}

export function limitsFromWire({ perCallerHourly = 0, perSecond = 0, burst = 0 }: WireLimits): PlanLimits {
  return {
    perCallerHourly: perCallerHourly || null,
    rate: perSecond === 0 ? null : { perSecond, burst: burst || perSecond },
  };
}

/** The protobuf name of an enum value: `SECRET` for `secret`. */
export function enumName<Value extends string>(value: Value): Uppercase<Value> {
  return value.toUpperCase() as Uppercase<Value>;
}
