/** Ignored unless a process listens for it, and used by nothing else. */
const SIGNAL = "SIGURG";

/**
 * Keeps turns of the event loop short. While at least 1,024 connections have sent something, libuv polls up to 48 times in one turn
 * (`uv__io_poll` in its src/unix/linux.c): about 49,000 requests, which take a second. Meanwhile no timer runs, and Node sends nothing
 * to other services. Only a signal ends such a turn, so this process sends itself one. The turn then ends once libuv has read the
 * connections that were already ready.
 * @param requestsPerSignal after how many requests the current turn is ended.
 * @returns a function to call for each request.
 */
export function createTurnLimit(requestsPerSignal: number): () => void {
  let requests = 0;
  return () => {
    requests += 1;
    if (requests < requestsPerSignal) return;
    requests = 0;
    if (process.listenerCount(SIGNAL) === 0) process.on(SIGNAL, () => {});
    process.kill(process.pid, SIGNAL);
  };
}
