import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Request, Response } from "express";

const compress = promisify(gzip);

/** A text that is sent often: it is compressed once. */
export interface Asset {
  /** As Express names it: `css`, `js`, `html`, `json`. */
  type: string;
  body: Buffer;
  gzipped?: Promise<Buffer>;
}

/** Sends a text, compressed to those who take it so. Express adds an ETag and answers 304 by it. */
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
