// Exits with status 0 if the service in this container is ready. Uses only Node, so that the image needs no shell.
// CommonJS without types starts twice as fast as a TypeScript module, and this runs every few seconds.
"use strict";
const { connect } = require("node:net");

const socket = connect(Number(process.env.OPS_PORT || 9464), "127.0.0.1");
// The engine stops waiting for a check that times out, but doesn't kill it.
setTimeout(() => process.exit(1), 3_000);
socket.on("connect", () => socket.write("GET /readyz HTTP/1.0\r\nHost: localhost\r\n\r\n"));
socket.once("data", (head) => process.exit(/^HTTP\/1\.[01] 200 /.test(head.toString("latin1")) ? 0 : 1));
socket.on("error", () => process.exit(1));
socket.on("end", () => process.exit(1));
