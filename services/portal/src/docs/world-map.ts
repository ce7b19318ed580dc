import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { MultiPolygon } from "geojson";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import { type Html, html } from "../html.ts";
import { MAP_HEIGHT, MAP_WIDTH, project } from "./assets/projection.js";

/** The map ends north of Antarctica. */
const SOUTHERNMOST_LATITUDE = -60;

/** A world map with one pin, in degrees. Decorative: the text beside it names the place. */
export function mapOf(latitude: string, longitude: string): Html {
  return drawMap(pinAt({ id: "found", latitude, longitude }));
}

/**
 * A world map with the pins of these places, and a hidden one that the demo's script moves. Decorative: its caption
 * names the place.
 */
export function worldMap(places: readonly { id: string; latitude: string; longitude: string }[]): Html {
  return drawMap(html`<g id="demo-pin" class="pin" data-place="own" hidden>${PIN}</g>
${places.map(pinAt)}`);
}

function drawMap(pins: Html): Html {
  land ??= drawLand();
  return html`<svg class="world" viewBox="0 0 ${MAP_WIDTH} ${MAP_HEIGHT}" aria-hidden="true" focusable="false">
<path class="land" d="${land}"/>
${pins}</svg>`;
}

function pinAt({ id, latitude, longitude }: { id: string; latitude: string; longitude: string }): Html {
  const { x, y } = project(Number(longitude), Number(latitude));
  return html`<g class="pin" data-place="${id}" transform="translate(${x.toFixed(1)} ${y.toFixed(1)})">${PIN}</g>\n`;
}

const PIN = html`<circle class="halo" r="34"/><path class="dot" d="M0 0c-14-22-25-32-25-46a25 25 0 0 1 50 0C25-32 14-22 0 0Z"/><circle class="hole" cy="-46" r="9"/>`;

let land: string | undefined;

/** All land as one path, in whole units, which are finer than a line's width. */
function drawLand(): string {
  const file = fileURLToPath(import.meta.resolve("world-atlas/land-110m.json"));
  const topology = JSON.parse(readFileSync(file, "utf8")) as Topology<{ land: GeometryCollection }>;
  const { features } = feature(topology, topology.objects.land);
  const polygons = features.flatMap(({ geometry }) => (geometry as MultiPolygon).coordinates);
  return polygons
    .flat()
    .filter((ring) => ring.some(([, latitude = 0]) => latitude > SOUTHERNMOST_LATITUDE))
    .flatMap(cutAtDateLine)
    .map(drawRing)
    .join("");
}

/** Pairs of longitude and latitude, in degrees. */
type Ring = readonly (readonly number[])[];

/** Splits a ring that crosses the date line into one piece at each edge of the map. */
function cutAtDateLine(ring: Ring): Ring[] {
  const whole: number[][] = [];
  for (const [longitude = 0, latitude = 0] of ring) {
    const before = whole.at(-1)?.[0] ?? longitude;
    whole.push([longitude + 360 * Math.round((before - longitude) / 360), latitude]);
  }
  const shifted = (by: number) => whole.map(([longitude = 0, latitude = 0]) => [longitude + by, latitude]);
  return [whole, shifted(-360), shifted(360)]
    .map((copy) => clip(clip(copy, 1), -1))
    .filter((piece) => piece.length > 2);
}

/** The part of a ring inside one edge of the map: 1 is the eastern edge, -1 the western. */
function clip(ring: Ring, edge: 1 | -1): number[][] {
  const isInside = (longitude: number) => longitude * edge <= 180;
  return ring.flatMap(([longitude = 0, latitude = 0], index) => {
    const [lastLongitude = 0, lastLatitude = 0] = ring.at(index - 1) ?? [];
    const kept = isInside(longitude) ? [[longitude, latitude]] : [];
    if (isInside(longitude) === isInside(lastLongitude)) return kept;
    const share = (edge * 180 - lastLongitude) / (longitude - lastLongitude);
    return [[edge * 180, lastLatitude + share * (latitude - lastLatitude)], ...kept];
  });
}

function drawRing(ring: Ring): string {
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
