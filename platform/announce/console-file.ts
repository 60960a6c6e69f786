import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import { isRecord, isString } from "@ridlkit/runtime/validation";

import { writeAtomically } from "./write-atomically.js";

/** The name of the file with the operator token in the data folder. */
export const tokenFile = "operator-token";

const pathOf = (dataFolder: string): string => join(dataFolder, "console.json");

/** Records the URL of a running platform's console in the data folder. */
export function noteConsole(dataFolder: string, url: string): void {
  writeAtomically(pathOf(dataFolder), { url });
}

/**
 * Returns the recorded URL of the console, or null if there is none. A platform
 * that was killed leaves its URL behind.
 */
export function findConsole(dataFolder: string): string | null {
  const path = pathOf(dataFolder);
  if (!existsSync(path)) return null;
  const noted: unknown = JSON.parse(readFileSync(path, "utf8"));
  return isRecord(noted) && isString(noted["url"]) ? noted["url"] : null;
}

/** Removes the recorded URL unless another platform has replaced it. */
export function forgetConsole(dataFolder: string, url: string): void {
  if (findConsole(dataFolder) === url) rmSync(pathOf(dataFolder));
}
