import { readFileSync } from "node:fs";

import { isRecord } from "@ridlkit/runtime/validation";
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";

/** Thrown if the settings are invalid. The message gives the reason. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** The content of a settings file. */
export interface SettingsFile {
  readonly values: Record<string, unknown>;
  /**
   * Returns the file and line of a setting, e.g. `platform/config.yaml:12`. If
   * the setting is missing, returns the line of the last existing key.
   *
   * Input: the keys on the path to the setting, outermost first.
   */
  placeOf(path: readonly (string | number)[]): string;
}

/**
 * Reads a settings file.
 *
 * Errors: SettingsError.
 */
export function readSettingsFile(path: string): SettingsFile {
  const lines = new LineCounter();
  const placeAt = (offset: number) => `${path}:${lines.linePos(offset).line}`;
  const document = parseDocument(readText(path), {
    lineCounter: lines,
    // The error message below already starts with the position.
    prettyErrors: false,
  });
  const [fault] = document.errors;
  if (fault !== undefined) {
    throw new SettingsError(`${placeAt(fault.pos[0])}: ${fault.message}`);
  }
  const values: unknown = document.toJS();
  return {
    values: isRecord(values) ? { ...values } : {},
    placeOf: (keys) => {
      let place = `${path}:1`;
      let node: unknown = document.contents;
      for (const key of keys) {
        if (isSeq(node)) {
          const item = node.items[Number(key)];
          if (isScalar(item)) place = placeAt(item.range?.[0] ?? 0);
          node = item;
          continue;
        }
        if (!isMap(node)) break;
        const pair = node.items.find(
          (item) => isScalar(item.key) && String(item.key.value) === key,
        );
        if (pair === undefined || !isScalar(pair.key)) break;
        place = placeAt(pair.key.range?.[0] ?? 0);
        node = pair.value;
      }
      return place;
    },
  };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingsError(`${path}: ${reason}`);
  }
}
