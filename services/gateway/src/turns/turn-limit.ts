/** Ignored unless a process listens for it, and used by nothing else. */
const SIGNAL = "SIGURG";

/**
 * Keeps turns of the event loop short. While at least 1,024 connections have sent something, libuv polls up to 48 times in one turn
 * (`uv__io_poll` in its src/unix/linux.c): about 49,000 requests, which take a second. Meanwhile no timer runs, and Node sends nothing
 * to other services. Only a signal ends such a turn, so this process sends itself one: the turn ends once the connections that
 * were ready before are read.
 * @param max requests after which a turn ends.
 * @returns a function to call for each request.
 */
export function createTurnLimit(max: number): () => void {
  let requests = 0;
  return () => {
    requests += 1;
    if (requests < max) return;
    requests = 0;
    if (process.listenerCount(SIGNAL) === 0) process.on(SIGNAL, () => {});
    process.kill(process.pid, SIGNAL);
  };
}
