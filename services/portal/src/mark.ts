import { html } from "./html.ts";

/** A pin on a tile. Its few large shapes stay recognizable at 16 px. */
const TILE = "M6 0h12a6 6 0 0 1 6 6v12a6 6 0 0 1-6 6H6a6 6 0 0 1-6-6V6a6 6 0 0 1 6-6Z";
const PIN = "M12 3.5a6.75 6.75 0 0 0-6.75 6.75C5.25 15.2 12 21 12 21s6.75-5.8 6.75-10.75A6.75 6.75 0 0 0 12 3.5Z";
const HOLE = { x: 12, y: 10.25, radius: 2.6 };

/** In the header, in the colors of the theme. */
export const MARK = html`<svg class="mark-tile" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false"><path class="tile" d="${TILE}"/><path class="pin-shape" d="${PIN}"/><circle class="tile" cx="${HOLE.x}" cy="${HOLE.y}" r="${HOLE.radius}"/></svg>`;

const SVG =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'>" +
  `<path fill='#0a6b66' d='${TILE}'/><path fill='#fff' d='${PIN}'/>` +
  `<circle fill='#0a6b66' cx='${HOLE.x}' cy='${HOLE.y}' r='${HOLE.radius}'/></svg>`;

/** The page's icon, inlined so that browsers don't request one. */
export const ICON = html`<link rel="icon" type="image/svg+xml" href="data:image/svg+xml;base64,${Buffer.from(SVG).toString("base64")}">
`;
