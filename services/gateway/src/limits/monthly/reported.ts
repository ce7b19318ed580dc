/** The era of a total that no usage node has reported. */
export const UNREPORTED = -1;

/** A key's total as a usage node reported it. */
export interface Reported {
  total: number;
  /** The era in which it was requested; see followPeerUsage. */
  era: number;
  /** How far the node had read the usage log. */
  position: number;
}
