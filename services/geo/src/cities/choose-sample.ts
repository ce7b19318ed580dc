const EARTH_RADIUS_KM = 6_371;
/** Larger than any city, smaller than the distance between most cities of the same name. */
const MAX_DISTANCE_KM = 100;
/** Between points on a sphere of radius 1. */
const MAX_CHORD = 2 * Math.sin(MAX_DISTANCE_KM / EARTH_RADIUS_KM / 2);

/** Vendors misplace some networks of a large city. A smaller share of places may be far from the others. */
const MIN_SHARE_NEAR = 0.9;

/** A point on a sphere of radius 1. */
type Point = readonly [x: number, y: number, z: number];

/**
 * Chooses one of the places that databases have under a city's name: the one nearest to the middle of all.
 * @param degrees latitude and longitude of each place, one after the other.
 * @returns its index; null if too many places are too far away to be one city, or there is none.
 */
export function chooseSample(degrees: readonly number[]): number | null {
  const points: Point[] = [];
  for (let at = 0; at < degrees.length; at += 2) points.push(pointAt(degrees[at] as number, degrees[at + 1] as number));
  const middle = normalized(points.reduce(sum, [0, 0, 0]));
  let nearest: number | null = null;
  let shortest = Number.POSITIVE_INFINITY;
  for (const [index, point] of points.entries()) {
    const length = chord(point, middle);
    if (length >= shortest) continue;
    nearest = index;
    shortest = length;
  }
  const chosen = points[nearest ?? 0];
  if (!chosen) return null;
  const near = points.filter((point) => chord(point, chosen) <= MAX_CHORD).length;
  return near >= MIN_SHARE_NEAR * points.length ? nearest : null;
}

function pointAt(latitude: number, longitude: number): Point {
  const [phi, lambda] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
}

function sum(a: Point, b: Point): Point {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

function normalized(point: Point): Point {
  const length = Math.hypot(...point) || 1;
  return [point[0] / length, point[1] / length, point[2] / length];
}

function chord(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
