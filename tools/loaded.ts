import { runtimePath } from "../generator/4-emit/typescript/names/runtime-entries.js";
import { invariant } from "../generator/ir/invariant.js";

/** Loads a generated module, or one of the runtime, by its path. */
export type LoadModule = (path: string) => Promise<unknown>;

/** A function of such a module. */
export type LoadedFunction = (...args: readonly unknown[]) => unknown;

/** Returns a member of a module or another object. */
export function memberOf(holder: unknown, name: string): unknown {
  return Reflect.get(Object(holder), name);
}

/** Returns a member that must be a function. */
export function toCall(holder: unknown, name: string): LoadedFunction {
  const value = memberOf(holder, name);
  invariant(isCall(value), `there is no function ${name}`);
  return value;
}

/** Loads a function of a copied entry point of the runtime, e.g. `node`. */
export async function loadRuntime(
  load: LoadModule,
  entry: string,
  name: string,
): Promise<LoadedFunction> {
  return loadFunction(load, `runtime/${runtimePath(entry)}.js`, name);
}

/** Loads a function that a module exports. */
export async function loadFunction(
  load: LoadModule,
  path: string,
  name: string,
): Promise<LoadedFunction> {
  return toCall(await load(path), name);
}

/** Whether something is a function. */
export function isCall(value: unknown): value is LoadedFunction {
  return typeof value === "function";
}
