import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { MultiPolygon } from "geojson";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import { type Html, html } from "../html.ts";
import { MAP_HEIGHT, MAP_WIDTH, project } from "./assets/projection.js";

/** Of Antarctica: the map ends above it. */
const SOUTHERNMOST_LATITUDE = -60;

/** The land of the world, drawn once, with a pin on a place. Decoration: what it shows is said in its caption. */
export function worldMap(place: { latitude: string; longitude: string }): Html {
  land ??= drawLand();
  const { x, y } = project(Number(place.longitude), Number(place.latitude));
  return html`<svg class="world" viewBox="0 0 ${MAP_WIDTH} ${MAP_HEIGHT}" aria-hidden="true" focusable="false">
<path class="land" d="${land}"/>
<g class="pin" transform="translate(${x.toFixed(1)} ${y.toFixed(1)})"><circle class="halo" r="26"/><circle class="dot" r="9"/></g>
</svg>`;
}

let land: string | undefined;

/** One path of all land, in whole units: closer than a line is wide. */
function drawLand(): string {
  const file = fileURLToPath(import.meta.resolve("world-atlas/land-110m.json"));
  const topology = JSON.parse(readFileSync(file, "utf8")) as Topology<{ land: GeometryCollection }>;
  const { features } = feature(topology, topology.objects.land);
  const polygons = features.flatMap(({ geometry }) => (geometry as MultiPolygon).coordinates);
  return polygons
    .flat()
    .filter((ring) => ring.some(([, latitude = 0]) => latitude > SOUTHERNMOST_LATITUDE))
    .map(drawRing)
    .join("");
}

function drawRing(ring: readonly (readonly number[])[]): string {
  let [lastX, lastY] = [0, 0];
  let path = "";
  for (const [longitude = 0, latitude = 0] of ring) {
    const place = project(longitude, latitude);
    const [x, y] = [Math.round(place.x), Math.round(place.y)];
    if (path !== "" && x === lastX && y === lastY) continue;
    path += path === "" ? `M${x} ${y}l` : `${x - lastX} ${y - lastY} `;
    [lastX, lastY] = [x, y];
  }
  return `${path.trimEnd()}z`;
}
