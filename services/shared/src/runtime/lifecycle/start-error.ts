/** A reason not to start that the operator can mend: printed as its message alone, exit status 1. */
export class StartError extends Error {
  override readonly name = "StartError";
}
