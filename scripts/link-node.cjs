// Runs after `npm ci`, with any version of Node. npm 10 installs the package with Node 24 but doesn't link its program,
// because packages for other platforms, which it skips, have a program of the same name.
"use strict";
const { execFileSync } = require("node:child_process");
const { existsSync } = require("node:fs");
const { join } = require("node:path");

const bin = join(__dirname, "../node_modules/.bin");
if (!existsSync(join(bin, "node")) && !existsSync(join(bin, "node.cmd"))) {
  // npm_execpath is the path of the npm that runs this script.
  const npm = process.env.npm_execpath;
  execFileSync(process.execPath, [npm, "rebuild", "--ignore-scripts"], {
    cwd: join(__dirname, ".."),
    stdio: "inherit",
  });
}
