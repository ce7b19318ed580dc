import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const START_TIMEOUT_MS = 60_000;

/** Chromium without windows, which takes half the CPU time, then the whole browser on Debian and on other systems. */
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

const FLAGS = [
  ...["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
  ...["--disable-background-networking", "--disable-component-update"],
  // No request leaves this machine. Hosts in .test are other origins, served locally.
  "--host-resolver-rules=MAP *.test 127.0.0.1,MAP * ~NOTFOUND,EXCLUDE localhost,EXCLUDE *.localhost,EXCLUDE 127.0.0.1",
];

let started: Promise<Browser> | undefined;

after("close the browser", async () => {
  if (started) await (await started).close();
});

/**
 * The browser that all suites of this run share, started on first use.
 * @throws Error saying what to install if there is none.
 */
export function sharedChromium(): Promise<Browser> {
  started ??= chromium.launch({
    executablePath: findChromium(),
    args: FLAGS,
    timeout: START_TIMEOUT_MS,
    // Playwright's own handlers would end the process before the harness has cleaned up.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  return started;
}

function findChromium(): string {
  const { CHROMIUM, PATH = "" } = process.env;
  if (CHROMIUM) return CHROMIUM;
  for (const name of NAMES)
    for (const folder of PATH.split(delimiter)) {
      const path = join(folder, name);
      if (isExecutable(path)) return path;
    }
  throw new Error(
    "the browser tests need Chromium: install it (Debian: sudo apt-get install chromium), " +
      "or set CHROMIUM to the path of a Chromium or Chrome",
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
