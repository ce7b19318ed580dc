import type { OpenSubject } from "./fuzz.ts";
import { openArchive } from "./subjects/archive.ts";
import { openFastPath } from "./subjects/fast-path.ts";
import { openGeofeed } from "./subjects/geofeed.ts";
import { openHttp } from "./subjects/http.ts";
import { openKeyLog } from "./subjects/key-log.ts";
import { openMmdb } from "./subjects/mmdb.ts";
import { openProtobufs } from "./subjects/protobufs.ts";
import { openUsage } from "./subjects/usage.ts";

/** Everything that reads untrusted bytes. */
export const SUBJECTS: Readonly<Record<string, OpenSubject>> = {
  http: openHttp,
  "fast-path": openFastPath,
  mmdb: openMmdb,
  geofeed: openGeofeed,
  archive: openArchive,
  "key-log": openKeyLog,
  usage: openUsage,
  protobufs: openProtobufs,
};
