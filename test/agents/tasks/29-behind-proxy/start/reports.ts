import { once, EventEmitter } from "node:events";

export const reports = new EventEmitter();

/** Resolves when the report is done. */
export async function report(): Promise<number> {
  const done = once(reports, "done");
  reports.emit("started");
  await done;
  return 7;
}
