import type { ts } from "ts-morph";

/** The functions of a TypeScript compiler: the project's own, or ts-morph's. */
export type Compiler = typeof ts;

/** A compiler and the declarations that it needs to read a project. */
export interface LoadedCompiler {
  readonly compiler: Compiler;
  /**
   * TypeScript's own declaration files by name, or null if they are on disk.
   */
  readonly libraries: ReadonlyMap<string, string> | null;
}

/** Whether a module has a compiler's functions, which TypeScript 7 lacks. */
export function isCompiler(value: unknown): value is Compiler {
  return (
    typeof value === "object" &&
    value !== null &&
    "createProgram" in value &&
    "getParsedCommandLineOfConfigFile" in value
  );
}
