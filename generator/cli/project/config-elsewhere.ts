import { dirname, join } from "node:path";
import { configFileName } from "../config/config.js";
import { type System, FileError } from "../system/system.js";
import { pathFrom } from "../system/paths.js";

/** File names that people may give a configuration by mistake. */
const otherName = /^\.?ridl(?:\.config)?\.(?:ya?ml|json|[cm]?[jt]s)$/u;

/**
 * Finds the configuration that people may have meant if a folder has none: a
 * file with another name, or one in a parent folder. Returns advice on how to
 * use it, or null if there is none.
 */
export function findConfigElsewhere(
  folder: string,
  system: Pick<System, "listFolder">,
): string | null {
  const other = namesIn(folder, system).find((name) => otherName.test(name));
  if (other !== undefined) {
    return `rename \`${other}\` to \`${configFileName}\` and write it in YAML`;
  }
  for (let above = dirname(folder); ; above = dirname(above)) {
    if (namesIn(above, system).includes(configFileName)) {
      const path = pathFrom(folder, join(above, configFileName));
      return `to use the one in a parent folder, add \`--config ${path}\``;
    }
    if (dirname(above) === above) return null;
  }
}

/** Lists the names in a folder. Returns none if the folder cannot be read. */
function namesIn(
  folder: string,
  system: Pick<System, "listFolder">,
): readonly string[] {
  try {
    return (system.listFolder(folder) ?? []).map(({ name }) => name);
  } catch (error) {
    if (error instanceof FileError) return [];
    throw error;
  }
}
