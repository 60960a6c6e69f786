import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import {
  createExplorerServer,
  type ExplorerValues,
} from "@ridlkit/runtime/explorer";
import { composeServers, type RpcServer } from "@ridlkit/runtime/server";

/** The folder of the generated explorer, relative to the working directory. */
const defaultFolder = "generated/explorer";

/**
 * Serves the contract's explorer at `/` if it was generated. Input: the initial
 * values of its forms, or null for the contract's examples.
 */
export function serveExplorer(
  values: ExplorerValues | null,
  folder: string = defaultFolder,
): RpcServer {
  if (!existsSync(folder)) return composeServers();
  return createExplorerServer(
    (name) => readFileSync(join(folder, name), "utf8"),
    { ...(values && { values }) },
  );
}
