import { readFileSync } from "node:fs";
import { Router } from "express";
import { type Asset, sendAsset } from "../asset.ts";
import { securityHeaders } from "../security-headers.ts";

const STYLES = ["text", "forms", "figures", "key-list", "key-table", "key", "status", "chart"]
  .map((name) => `assets/style/${name}.css`)
  .concat("../data-report/assets/data-report.css");
const SCRIPTS = ["console.js", "chart.js", "live.js", "select.js"];

/** The console's styles and scripts. They are the same for everyone, so they need no session. */
export function assetRoutes(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const serve = (name: string, asset: Asset) =>
    router.get(`/assets/${name}`, (req, res) => {
      res.set({ ...securityHeaders(), "Cache-Control": "public, max-age=300" });
      return sendAsset(req, res, asset);
    });
  const read = (path: string) => readFileSync(new URL(path, import.meta.url));
  serve("console.css", { type: "css", body: Buffer.concat(STYLES.map(read)) });
  for (const name of SCRIPTS) serve(name, { type: "js", body: read(`assets/${name}`) });
  return router;
}
