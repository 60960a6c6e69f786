import { openAsBlob } from "node:fs";

import { CommandError } from "./command.js";

/** Opens a file named on the command line. Errors: CommandError. */
export async function readInput(path: string, type: string): Promise<Blob> {
  try {
    return await openAsBlob(path, { type });
  } catch {
    throw new CommandError(`cannot read ${path}`);
  }
}
