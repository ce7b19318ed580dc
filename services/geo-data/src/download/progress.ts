/** Shows how far a download is. */
export interface Progress {
  /** @param total bytes, or null when unknown. */
  show(received: number, total: number | null): void;
  end(): void;
}

const TERMINAL_INTERVAL_MS = 100;
const LOG_INTERVAL_MS = 3_000;

/** Progress on a stream: one line that is rewritten on a terminal, else a line every few seconds. */
export function createProgress(
  label: string,
  out: { write(text: string): unknown; isTTY?: boolean },
  now: () => number,
): Progress {
  const onTerminal = out.isTTY === true;
  let shownAt = Number.NEGATIVE_INFINITY;
  let last: string | null = null;
  const print = (line: string) => out.write(onTerminal ? `\r\u001b[K${line}` : `${line}\n`);
  return {
    show(received, total) {
      last = progressLine(label, received, total);
      if (now() - shownAt < (onTerminal ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS)) return;
      shownAt = now();
      print(last);
      last = null;
    },
    end() {
      if (last !== null) print(last);
      if (onTerminal) out.write("\n");
      last = null;
    },
  };
}

function progressLine(label: string, received: number, total: number | null): string {
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
  if (total === null) return `${label}: ${megabytes(received)} MB`;
  return `${label}: ${megabytes(received)} of ${megabytes(total)} MB (${Math.floor((received / total) * 100)}%)`;
}
