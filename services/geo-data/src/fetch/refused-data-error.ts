import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";

/** Downloaded data isn't plausible, so the data in use stays. Another download of the same data won't help. */
export class RefusedDataError extends StartError {
  /** @param problem what is wrong, for the operator. */
  constructor(problem: string) {
    super(`${problem}; it wasn't installed (--force installs it), and the old data stays in use`);
  }
}

/** A file was downloaded completely, but can't be used. */
export class UnusablePartError extends StartError {
  /** The part that it is of. */
  readonly part: string;
  /** Whether the same file will be refused again, so that another download won't help. */
  readonly isLasting: boolean;

  /** @param problem names the file. */
  constructor(part: string, version: string, problem: string, isLasting = true) {
    super(
      `${part} ${version}: ${problem}; nothing was changed; set GEO_DATA_SOURCE to another source (docs/data.md#sources), or GEO_DATABASES to your own files`,
    );
    this.part = part;
    this.isLasting = isLasting;
  }
}
