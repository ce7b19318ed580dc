import { execFile } from "node:child_process";

/**
 * Reports the state of this process to systemd, if systemd started it with Type=notify. It runs systemd-notify, since Node has
 * no Unix datagram sockets.
 * @param name of the process, for the message if that fails.
 */
export function notifySystemd(name: string, state: "READY=1" | "STOPPING=1"): void {
  if (!process.env.NOTIFY_SOCKET) return;
  execFile("systemd-notify", [state], (error) => {
    if (error) process.stderr.write(`${name}: systemd-notify ${state}: ${error.message}\n`);
  });
}
