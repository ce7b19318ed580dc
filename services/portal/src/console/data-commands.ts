/** A command that changes the data: update it, or switch to an installed version. */
export type DataCommand = { update: true } | { version: string };

/** The latest command that was started from the console. */
export interface DataJob {
  command: DataCommand;
  state: "running" | "succeeded" | "failed";
  /** The last lines of its output. */
  lines: readonly string[];
}

/** Changes the data, if the console's process can. */
export interface DataCommands {
  /** Starts a command. @returns false while another one is running. */
  start(command: DataCommand): boolean;
  /** Null before the first command. */
  job(): DataJob | null;
}
