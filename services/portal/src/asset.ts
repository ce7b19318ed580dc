import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Request, Response } from "express";

const compress = promisify(gzip);

/** A static file, compressed once. */
export interface Asset {
  /** An extension that Express knows, such as `css`. */
  type: string;
  body: Buffer;
  gzipped?: Promise<Buffer>;
}

/** Sends a text that was made for this request. */
export function sendText(req: Request, res: Response, type: string, text: string): Promise<void> {
  return sendAsset(req, res, { type, body: Buffer.from(text) });
}

/** Sends an asset, gzipped if the client accepts that. Express adds an ETag and handles 304. */
export async function sendAsset(req: Request, res: Response, asset: Asset): Promise<void> {
  res.type(asset.type).vary("Accept-Encoding");
  if (!req.acceptsEncodings("gzip")) {
    res.send(asset.body);
    return;
  }
  asset.gzipped ??= compress(asset.body);
  const body = await asset.gzipped;
  res.set("Content-Encoding", "gzip").send(body);
}
