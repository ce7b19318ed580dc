import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { Router } from "express";
import { type Asset, sendAsset } from "../asset.ts";
import { securityHeaders } from "../security-headers.ts";

const NAMES = ["text", "buttons", "forms", "figures", "key-list", "key-table", "key", "status", "shortcuts", "chart"];

/** The console's style sheet. */
function consoleStyle(): Buffer {
  return Buffer.concat(NAMES.map((name) => readFileSync(new URL(`assets/style/${name}.css`, import.meta.url))));
}

const FILES = [
  { path: "assets/console.js", type: "js" },
  { path: "assets/chart.js", type: "js" },
  { path: "assets/shortcuts.js", type: "js" },
  { path: "assets/live.js", type: "js" },
  { path: "assets/select.js", type: "js" },
  { path: "../data-report/assets/data-report.css", type: "css" },
];

/** The console's styles and scripts. They are the same for everyone, so they need no session. */
export function assetRoutes(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const serve = (name: string, asset: Asset) =>
    router.get(`/assets/${name}`, (req, res) => {
      res.set({ ...securityHeaders(), "Cache-Control": "public, max-age=300" });
      return sendAsset(req, res, asset);
    });
  serve("console.css", { type: "css", body: consoleStyle() });
  for (const { path, type } of FILES)
    serve(basename(path), { type, body: readFileSync(new URL(path, import.meta.url)) });
  return router;
}
