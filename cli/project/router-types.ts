import { unknownOutput } from "../../tools/import/trpc/describe-procedure.js";
import { readTypes } from "../../tools/import/trpc/types/read-types.js";
import type {
  MissingTypes,
  RouterTypes,
} from "../../tools/import/trpc/types/typed-procedure.js";
import { openModules } from "../../tools/implement/open-programs.js";
import { type AbsolutePath, parentOf } from "../system/paths.js";
import { type System, UsageError } from "../system/system.js";
import { loadCompiler, nearestTsconfig } from "./load-compiler.js";
import type { LoadedRouter } from "./load-router.js";

/** Reads the types of a router with the project's compiler. */
export function loadTypes(
  { hasTransformer, name }: LoadedRouter,
  file: AbsolutePath,
  system: System,
): RouterTypes | MissingTypes {
  if (!/\.[cm]?tsx?$/u.test(file)) return unknownOutput;
  try {
    const folder = parentOf(file);
    const loaded = loadCompiler(folder, "import", system);
    const program = openModules(loaded, nearestTsconfig(folder, system), [
      file,
    ]);
    const { compiler } = loaded;
    const router = { compiler, program, file, name, hasTransformer };
    return readTypes(router) ?? unknownOutput;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return {
      fault:
        "the output has no parser, and the project has no compiler that reads its type",
      help: "`any`; run `npm install --save-dev ts-morph`, or add `.output(…)` to the procedure",
    };
  }
}
