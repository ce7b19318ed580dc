import type { IncomingMessage } from "node:http";

/** Why a body wasn't read completely. `displaced`: too many others began after it. `aborted`: the client left. */
export type FormProblem = "too_large" | "too_slow" | "displaced" | "aborted";

/** A body that wasn't read completely. */
export class FormError extends Error {
  readonly problem: FormProblem;

  constructor(problem: FormProblem) {
    super(`a form was ${problem}`);
    this.problem = problem;
  }
}

/**
 * Reads this much more of a body that is too large, and drops it: a client that is still sending would see its
 * connection reset and never read the response.
 */
const MAX_DROPPED_BYTES = 1_048_576;

/** Reads complete bodies, so that no slow client holds any resources of the portal. */
export interface FormReader {
  /** How many bodies are being read. */
  inUse(): number;
  /** @throws FormError */
  read(req: IncomingMessage): Promise<Buffer>;
}

/**
 * A form that arrives quickly is always read: if too many are being read, the oldest one is dropped.
 * @param limits.maxForms bodies read at once.
 * @param limits.timeoutMs for one whole body.
 */
export function createFormReader(limits: { maxForms: number; maxBytes: number; timeoutMs: number }): FormReader {
  const { maxForms, maxBytes, timeoutMs } = limits;
  const beingRead = new Set<(problem: FormProblem) => void>();

  const read = (req: IncomingMessage): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      // Not a list of chunks: a chunk of one byte would take a hundred bytes.
      const buffer = Buffer.alloc(Math.min(maxBytes, Number(req.headers["content-length"] ?? maxBytes)));
      let bytes = 0;
      const release = () => {
        clearTimeout(timer);
        beingRead.delete(stop);
        req.off("data", onData).off("end", onEnd).off("close", onClose);
      };
      const stop = (problem: FormProblem) => {
        release();
        reject(new FormError(problem));
      };
      const onData = (chunk: Buffer) => {
        if (bytes < buffer.length) chunk.copy(buffer, bytes);
        bytes += chunk.length;
        if (bytes > maxBytes + MAX_DROPPED_BYTES) stop("too_large");
      };
      const onEnd = () => {
        if (bytes > maxBytes) return stop("too_large");
        release();
        resolve(buffer.subarray(0, bytes));
      };
      const onClose = () => stop("aborted");
      const timer = setTimeout(() => stop(bytes > maxBytes ? "too_large" : "too_slow"), timeoutMs);
      beingRead.add(stop);
      req.on("data", onData).on("end", onEnd).on("close", onClose);
    });
  return {
    inUse: () => beingRead.size,
    read(req) {
      if (Number(req.headers["content-length"] ?? 0) > maxBytes + MAX_DROPPED_BYTES)
        return Promise.reject(new FormError("too_large"));
      const [oldest] = beingRead;
      if (oldest && beingRead.size >= maxForms) oldest("displaced");
      return read(req);
    },
  };
}

/** Whether a request has a body, even an empty one in chunks. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
