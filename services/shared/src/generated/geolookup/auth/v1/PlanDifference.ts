// Original file: proto/auth/v1/auth.proto


export interface PlanDifference {
  'plan'?: (string);
  /**
   * A field of the plan as in the plans file, or "plan" if the whole plan is new or removed.
   */
  'field'?: (string);
  /**
   * As JSON. "null": not set.
   */
  'oldJson'?: (string);
  'newJson'?: (string);
  /**
   * Active keys with the plan.
   */
  'keys'?: (number);
}

export interface PlanDifference__Output {
  'plan'?: (string);
  /**
   * A field of the plan as in the plans file, or "plan" if the whole plan is new or removed.
   */
  'field'?: (string);
  /**
   * As JSON. "null": not set.
   */
  'oldJson'?: (string);
  'newJson'?: (string);
  /**
   * Active keys with the plan.
   */
  'keys'?: (number);
}
