import type { EmitOptions } from "../4-emit/emitter.js";
import {
  createLayout,
  type Layout,
} from "../4-emit/typescript/names/layout.js";
import {
  createTypeContext,
  type TypeContext,
} from "../4-emit/typescript/types/type-text.js";
import type { Contract } from "../ir/contract.js";
import type { EntryPoint } from "./entry-points.js";

/** What every part of a README is made from. */
export interface ReadmeContext {
  readonly contract: Contract;
  /** Name of the package. */
  readonly name: string;
  readonly entryPoints: readonly EntryPoint[];
  /** Entries of `@ridlkit/runtime` that users need besides, e.g. `errors`. */
  readonly runtimeEntries: readonly string[];
  readonly layout: Layout;
  readonly types: TypeContext;
}

/** The context of a README. */
export function createReadmeContext(
  contract: Contract,
  options: EmitOptions,
  name: string,
  entryPoints: readonly EntryPoint[],
  runtimeEntries: readonly string[],
): ReadmeContext {
  const layout = createLayout(contract, options);
  const types = createTypeContext(layout, layout.root, "types");
  return { contract, name, entryPoints, runtimeEntries, layout, types };
}
