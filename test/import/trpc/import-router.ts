import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { importTrpc } from "../../../generator/import/trpc/import-trpc.js";
import {
  findRouter,
  readRouter,
} from "../../../generator/import/trpc/read-router.js";

const require = createRequire(import.meta.url);

/** Imports the router of a module, whose exports are given. */
export function importRouter(
  exports: unknown,
  text: string,
  stem: string,
  isStrict = false,
): ReturnType<typeof importTrpc> {
  const found = findRouter(exports, null);
  if ("fault" in found) throw new Error(found.fault);
  const source = { path: "router.ts", text };
  const load = (name: string): unknown => {
    try {
      return require(name);
    } catch {
      return null;
    }
  };
  return importTrpc(readRouter(found.router), { source, load }, stem, isStrict);
}

/** Imports the router in a file. */
export async function importRouterFile(
  path: string,
  stem: string,
): Promise<ReturnType<typeof importTrpc>> {
  const exports: unknown = await import(path);
  return importRouter(exports, readFileSync(path, "utf8"), stem);
}
