import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";

/** Downloaded data isn't plausible, so the data in use stays. Another download of the same data won't help. */
export class RefusedDataError extends StartError {
  /** @param problem what is wrong, for the operator. */
  constructor(problem: string) {
    super(`${problem}; it wasn't installed (--force installs it), and the old data stays in use`);
  }
}
