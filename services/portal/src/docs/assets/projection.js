const A1 = 1.340264;
const A2 = -0.081106;
const A3 = 0.000893;
const A4 = 0.003796;

/** The size of the map, which covers all land except Antarctica. */
export const MAP_WIDTH = 1440;
export const MAP_HEIGHT = 626;
const TOP_LATITUDE = 84;

const SCALE = MAP_WIDTH / (2 * equalEarth(Math.PI, 0).x);
const TOP = SCALE * equalEarth(0, (TOP_LATITUDE * Math.PI) / 180).y;

/**
 * Converts coordinates to a position on the map, in units of its viewBox.
 * @param {number} longitude degrees
 * @param {number} latitude degrees
 * @returns {{ x: number, y: number }}
 */
export function project(longitude, latitude) {
  const { x, y } = equalEarth((longitude * Math.PI) / 180, (latitude * Math.PI) / 180);
  return { x: MAP_WIDTH / 2 + SCALE * x, y: TOP - SCALE * y };
}

/**
 * The Equal Earth projection (Šavrič, Patterson, Jenny 2018), from radians to units.
 * @param {number} lambda
 * @param {number} phi
 */
function equalEarth(lambda, phi) {
  const theta = Math.asin((Math.sqrt(3) / 2) * Math.sin(phi));
  const squared = theta ** 2;
  const sixth = squared ** 3;
  return {
    x:
      (2 * Math.sqrt(3) * lambda * Math.cos(theta)) /
      (3 * (A1 + 3 * A2 * squared + sixth * (7 * A3 + 9 * A4 * squared))),
    y: theta * (A1 + A2 * squared + sixth * (A3 + A4 * squared)),
  };
}
