import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import { isRecord, isString } from "@ridlkit/runtime/validation";

import { writeWhole } from "./write-whole.js";

const pathOf = (dataFolder: string): string => join(dataFolder, "console.json");

/** Notes in the data folder where the console of a running platform is. */
export function noteConsole(dataFolder: string, url: string): void {
  writeWhole(pathOf(dataFolder), { url });
}

/** The address of the console; null: no platform runs in the data folder. */
export function findConsole(dataFolder: string): string | null {
  const path = pathOf(dataFolder);
  if (!existsSync(path)) return null;
  const noted: unknown = JSON.parse(readFileSync(path, "utf8"));
  return isRecord(noted) && isString(noted["url"]) ? noted["url"] : null;
}

/** Removes the note, unless another platform has written it since. */
export function forgetConsole(dataFolder: string, url: string): void {
  if (findConsole(dataFolder) === url) rmSync(pathOf(dataFolder));
}
