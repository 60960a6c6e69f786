import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/**
 * The folder of generated code. It is inside bench/, so that the code finds
 * packages.
 */
export const folder = fileURLToPath(
  new URL("../../.work/server", import.meta.url),
);

/** Returns the specifier of a module of our generated code. */
export function generated(path) {
  return pathToFileURL(join(folder, "ridlkit", path)).href;
}

/** Returns the specifier of Connect's module. */
export function generatedProto() {
  return pathToFileURL(join(folder, "protobuf-es/orders_pb.js")).href;
}
