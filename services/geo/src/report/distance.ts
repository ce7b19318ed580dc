import type { Amount } from "@geolookup/shared/domain/data-report.ts";
import { none } from "./families.ts";

/** The mean radius. */
const EARTH_RADIUS_KM = 6_371.0088;
const FARTHEST_KM = Math.PI * EARTH_RADIUS_KM;
const STEPS_PER_KM = 10;

/** The distance of two places on a sphere, in kilometers. Takes degrees. */
export function kilometersBetween(
  one: { latitude: number; longitude: number },
  other: { latitude: number; longitude: number },
): number {
  const [from, to] = [radians(one.latitude), radians(other.latitude)];
  const half = (angle: number) => Math.sin(angle / 2) ** 2;
  const chord = half(to - from) + Math.cos(from) * Math.cos(to) * half(radians(other.longitude - one.longitude));
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(chord)));
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Distances to 0.1 km, by networks and by addresses. */
export function createDistances() {
  const steps = Math.ceil(FARTHEST_KM * STEPS_PER_KM) + 1;
  const networks = new Float64Array(steps);
  const addresses = new Float64Array(steps);
  const both = none();
  return {
    add(kilometers: number, weight: number): void {
      const step = Math.round(kilometers * STEPS_PER_KM);
      networks[step] = (networks[step] as number) + 1;
      addresses[step] = (addresses[step] as number) + weight;
      both[0] += 1;
      both[1] += weight;
    },
    /** How many distances there are. */
    both: (): Amount => [both[0], both[1]],
    /** The smallest distance that a share of them doesn't exceed; null if there are none. */
    quantile: (share: number): [number | null, number | null] => [
      quantileOf(networks, share * both[0]),
      quantileOf(addresses, share * both[1]),
    ],
  };
}

function quantileOf(weights: Float64Array, wanted: number): number | null {
  if (wanted === 0) return null;
  let sum = 0;
  let last = 0;
  for (let step = 0; step < weights.length; step++) {
    const weight = weights[step] as number;
    if (weight === 0) continue;
    sum += weight;
    last = step;
    if (sum >= wanted) break;
  }
  return last / STEPS_PER_KM;
}
