import { type EmitterModule, isPath } from "../config/config.js";
import {
  type AbsolutePath,
  parentOf,
  pathFrom,
  resolvePath,
} from "../system/paths.js";
import type { System } from "../system/system.js";

/** Lists the folders where Node.js looks for a package, the nearest first. */
export function packagePlaces(
  name: string,
  folder: AbsolutePath,
): readonly AbsolutePath[] {
  const here = resolvePath(folder, `node_modules/${name}`);
  const above = parentOf(folder);
  return above === folder ? [here] : [here, ...packagePlaces(name, above)];
}

/**
 * Finds the templates of the packages that `emit` names, without running
 * anything of them. If a package is not installed, the path is the one that its
 * templates would have.
 */
export function locatePackages(
  modules: readonly EmitterModule[],
  root: AbsolutePath,
  system: Pick<System, "listFolder">,
): readonly EmitterModule[] {
  return modules.map((module) => {
    if (isPath(module.name)) return module;
    const places = packagePlaces(module.name, root);
    const found = places.find((place) => system.listFolder(place) !== null);
    const folder = found ?? resolvePath(root, `node_modules/${module.name}`);
    const path = pathFrom(root, resolvePath(folder, "templates"));
    return { ...module, path };
  });
}
