import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { Router } from "express";
import { type Asset, sendAsset } from "../asset.ts";
import { securityHeaders } from "../security-headers.ts";

const FILES = [
  { path: "assets/console.css", type: "css" },
  { path: "assets/fields.css", type: "css" },
  { path: "assets/overview.css", type: "css" },
  { path: "assets/chart.css", type: "css" },
  { path: "assets/console.js", type: "js" },
  { path: "assets/chart.js", type: "js" },
  { path: "assets/shortcuts.js", type: "js" },
  { path: "assets/live.js", type: "js" },
  { path: "../data-report/assets/data-report.css", type: "css" },
];

/** The console's styles and scripts. They are the same for everyone, so they need no session. */
export function assetRoutes(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const { path, type } of FILES) {
    const asset: Asset = { type, body: readFileSync(new URL(path, import.meta.url)) };
    router.get(`/assets/${basename(path)}`, (req, res) => {
      res.set({ ...securityHeaders(), "Cache-Control": "public, max-age=300" });
      return sendAsset(req, res, asset);
    });
  }
  return router;
}
