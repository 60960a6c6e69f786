import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import {
  createExplorerServer,
  type ExplorerValues,
} from "@ridlkit/runtime/explorer";
import { composeServers, type RpcServer } from "@ridlkit/runtime/server";

/** Where `ridl generate` writes it, seen from the folder of the project. */
const defaultFolder = "generated/explorer";

/**
 * The explorer of the contract at `/`; nothing where there is none. Input: what
 * its forms start with, if not with the examples of the contract.
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
