// Runs after `npm ci`, on whatever Node the machine has. npm 10 installs the package with Node 24 but doesn't link its
// program, because the packages of other platforms, which it leaves out, have one of the same name.
"use strict";
const { execFileSync } = require("node:child_process");
const { existsSync } = require("node:fs");
const { join } = require("node:path");

const bin = join(__dirname, "../node_modules/.bin");
if (!existsSync(join(bin, "node")) && !existsSync(join(bin, "node.cmd"))) {
  // The npm that runs this one; npm_execpath is its program.
  const npm = process.env.npm_execpath;
  execFileSync(process.execPath, [npm, "rebuild", "--ignore-scripts"], {
    cwd: join(__dirname, ".."),
    stdio: "inherit",
  });
}
