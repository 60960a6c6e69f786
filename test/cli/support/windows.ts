import {
  type AbsolutePath,
  toAbsolutePath,
} from "../../../cli/system/paths.js";
import type { System } from "../../../cli/system/system.js";

/**
 * Whether the command line computes with Windows paths on another platform, as
 * in the project `windows` of vitest.config.ts.
 */
export const simulatesWindows =
  process.platform !== "win32" && toAbsolutePath("C:/") === "C:/";

const drive = "C:";

/** Returns the path on the simulated drive of a path on the real disk. */
export function toDrive(path: string): AbsolutePath {
  return toAbsolutePath(
    simulatesWindows && path.startsWith("/") ? drive + path : path,
  );
}

/** Creates a system whose real disk is the drive `C:`. */
export function createWindowsSystem(system: System): System {
  return {
    ...system,
    packageFolder: toDrive(system.packageFolder),
    openOutput: (path) => system.openOutput(path && onDisk(path)),
    readText: (path) => system.readText(onDisk(path)),
    readBytes: (path) => system.readBytes(onDisk(path)),
    importModule: (path, version) => system.importModule(onDisk(path), version),
    loadPackage: (name, folder) => {
      const loaded = system.loadPackage(name, onDisk(folder));
      return loaded && { ...loaded, folder: toDrive(loaded.folder) };
    },
    listFolder: (path) => system.listFolder(onDisk(path)),
    writeText: (path, text) => system.writeText(onDisk(path), text),
    createText: (path, text) => system.createText(onDisk(path), text),
    isLink: (path) => system.isLink(onDisk(path)),
    realPath: (path) => toDrive(system.realPath(onDisk(path))),
    rename: (from, to) => system.rename(onDisk(from), onDisk(to)),
    removeFile: (path) => system.removeFile(onDisk(path)),
    createTemporaryFolder: () => toDrive(system.createTemporaryFolder()),
    removeFolder: (path) => system.removeFolder(onDisk(path)),
    removeEmptyFolder: (path) => system.removeEmptyFolder(onDisk(path)),
    runGit: (folder, args) => system.runGit(onDisk(folder), args),
    startCommand: (command, folder) =>
      system.startCommand(command, onDisk(folder)),
    startProgram: (command, folder) =>
      system.startProgram(command, onDisk(folder)),
    identify: (path) => system.identify(onDisk(path)),
    watch: (folder, ...events) => system.watch(onDisk(folder), ...events),
  };
}

/** Returns the path on the real disk. Other drives do not exist. */
function onDisk(path: AbsolutePath): AbsolutePath {
  return toAbsolutePath(
    path.startsWith(`${drive}/`)
      ? path.slice(drive.length)
      : path.replace(":", ""),
  );
}
