import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { ts } from "ts-morph";
import typescript from "typescript-5.9";
import { unknownOutput } from "../../../tools/import/trpc/describe-procedure.js";
import { importTrpc } from "../../../tools/import/trpc/import-trpc.js";
import {
  findRouter,
  type FoundRouter,
  readRouter,
} from "../../../tools/import/trpc/read-router.js";
import { readTypes } from "../../../tools/import/trpc/types/read-types.js";
import type { RouterTypes } from "../../../tools/import/trpc/types/typed-procedure.js";
import { isCompiler } from "../../../tools/implement/compiler.js";
import { openModules } from "../../../tools/implement/open-programs.js";

const require = createRequire(import.meta.url);

/** Imports the router of a module, whose exports are given. */
export function importRouter(
  exports: unknown,
  text: string,
  stem: string,
  file: string | null = null,
): ReturnType<typeof importTrpc> {
  const found = findRouter(exports, null);
  if ("fault" in found) throw new Error(found.fault);
  const router = readRouter(found.router);
  const types =
    file === null ? unknownOutput : typesOf(file, found.name, router);
  const source = { path: "router.ts", text };
  const load = (name: string): unknown => {
    try {
      return require(name);
    } catch {
      return null;
    }
  };
  return importTrpc(router, { source, load, types }, stem);
}

const compiler: unknown = typescript;
const cases = join(import.meta.dirname, "cases");
const routers = readdirSync(cases).map((name) =>
  join(cases, name, "router.ts"),
);
let program: ts.Program | undefined;

function typesOf(
  file: string,
  name: string,
  { hasTransformer }: FoundRouter,
): RouterTypes {
  if (!isCompiler(compiler)) throw new Error("it is no compiler");
  if (!program?.getSourceFile(file)) {
    const files = [file, ...routers] as const;
    program = openModules({ compiler, libraries: null }, null, files);
  }
  const types = readTypes({ compiler, program, file, name, hasTransformer });
  if (types === null) throw new Error(`\`${name}\` has no type`);
  return types;
}

/** Imports the router in a file. */
export async function importRouterFile(
  path: string,
  stem: string,
): Promise<ReturnType<typeof importTrpc>> {
  const exports: unknown = await import(path);
  return importRouter(exports, readFileSync(path, "utf8"), stem, path);
}
