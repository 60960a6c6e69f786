import type { System } from "../system/system.js";

/**
 * Shows in a terminal what a command is doing, in place of what it was doing
 * before. An empty text clears the line.
 */
export function showProgress(text: string, { stderr }: System): void {
  if (stderr.isTerminal) stderr.write(`\r\u001b[K${text}`);
}

/** Shows in a terminal what a command is doing until it has done it. */
export async function withProgress<Result>(
  text: string,
  system: System,
  run: () => Result | Promise<Result>,
): Promise<Result> {
  showProgress(text, system);
  try {
    return await run();
  } finally {
    showProgress("", system);
  }
}
