import type { PlanLimits } from "../../domain/plan-limits.ts";

/** auth.v1.Limits as proto-loader decodes it: zeros are absent. */
export interface WireLimits {
  perCallerHourly?: number;
  perSecond?: number;
  burst?: number;
}

export function limitsToWire({ perCallerHourly, rate }: PlanLimits): WireLimits {
  return { ...(perCallerHourly !== null && { perCallerHourly }), ...rate };
}

export function limitsFromWire({ perCallerHourly = 0, perSecond = 0, burst = 0 }: WireLimits): PlanLimits {
  return {
    perCallerHourly: perCallerHourly || null,
    rate: perSecond === 0 ? null : { perSecond, burst: burst || perSecond },
  };
}
