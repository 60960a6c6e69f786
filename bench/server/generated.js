import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Folder of what is generated. It lies inside of bench/, for its packages. */
export const folder = fileURLToPath(
  new URL("../.work/server", import.meta.url),
);

/** A module of our generated code, to be imported. */
export function generated(path) {
  return pathToFileURL(join(folder, "ridlkit", path)).href;
}

/** The module of Connect's, to be imported. */
export function generatedProto() {
  return pathToFileURL(join(folder, "protobuf-es/orders_pb.js")).href;
}
