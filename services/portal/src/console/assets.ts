import { readFileSync } from "node:fs";
import { Router } from "express";
import { type Asset, sendAsset } from "../asset.ts";
import { securityHeaders } from "../security-headers.ts";

const FILES = { "console.css": "css", "console.js": "js", "live.js": "js" } as const;

/** The console's styles and scripts. They are the same for everyone, so they need no session. */
export function assetRoutes(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const [name, type] of Object.entries(FILES)) {
    const asset: Asset = { type, body: readFileSync(new URL(`assets/${name}`, import.meta.url)) };
    router.get(`/assets/${name}`, (req, res) => {
      res.set({ ...securityHeaders(), "Cache-Control": "public, max-age=300" });
      return sendAsset(req, res, asset);
    });
  }
  return router;
}
