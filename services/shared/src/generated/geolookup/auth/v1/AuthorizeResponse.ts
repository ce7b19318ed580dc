// Original file: proto/auth/v1/auth.proto

import type { Authorization as _geolookup_auth_v1_Authorization, Authorization__Output as _geolookup_auth_v1_Authorization__Output } from '../../../geolookup/auth/v1/Authorization.ts';
import type { Long } from '@grpc/proto-loader';

export interface AuthorizeResponse {
  'authorizations'?: readonly (_geolookup_auth_v1_Authorization)[];
  /**
   * The position in the key log that this response reflects: the log's epoch, and the sequence of the last event read.
   * In a gateway's cache, an event after this position replaces the authorization.
   */
  'epoch'?: (string);
  'sequence'?: (number | string | Long);
  /**
   * Changes whenever the plans or the signing keys change.
   */
  'rules'?: (string);
  /**
   * How long ago, in milliseconds, the node last made sure that it had read the key log to its end: below 5,000 while its key event feed is
   * live, and growing while it is lost. Unset by earlier versions.
   */
  'positionAgeMs'?: (number | string | Long);
  '_positionAgeMs'?: "positionAgeMs";
}

export interface AuthorizeResponse__Output {
  'authorizations': (_geolookup_auth_v1_Authorization__Output)[];
  /**
   * The position in the key log that this response reflects: the log's epoch, and the sequence of the last event read.
   * In a gateway's cache, an event after this position replaces the authorization.
   */
  'epoch'?: (string);
  'sequence'?: (number);
  /**
   * Changes whenever the plans or the signing keys change.
   */
  'rules'?: (string);
  /**
   * How long ago, in milliseconds, the node last made sure that it had read the key log to its end: below 5,000 while its key event feed is
   * live, and growing while it is lost. Unset by earlier versions.
   */
  'positionAgeMs'?: (number);
}
