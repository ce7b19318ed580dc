// Original file: proto/auth/v1/auth.proto

import type { PlansCheck as _geolookup_auth_v1_PlansCheck, PlansCheck__Output as _geolookup_auth_v1_PlansCheck__Output } from '../../../geolookup/auth/v1/PlansCheck.ts';

export interface GetPlansResponse {
  /**
   * As in a plans file.
   */
  'plansJson'?: (string);
  'hash'?: (string);
  /**
   * The number of changes. 0: none is recorded yet.
   */
  'version'?: (number);
  /**
   * When and by whom they were changed.
   */
  'at'?: (string);
  'by'?: (string);
  /**
   * What the plans file would change. Unset if it is in force.
   */
  'held'?: (_geolookup_auth_v1_PlansCheck | null);
}

export interface GetPlansResponse__Output {
  /**
   * As in a plans file.
   */
  'plansJson'?: (string);
  'hash'?: (string);
  /**
   * The number of changes. 0: none is recorded yet.
   */
  'version'?: (number);
  /**
   * When and by whom they were changed.
   */
  'at'?: (string);
  'by'?: (string);
  /**
   * What the plans file would change. Unset if it is in force.
   */
  'held'?: (_geolookup_auth_v1_PlansCheck__Output);
}
