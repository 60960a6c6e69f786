import type { LinkedSchema } from "../schemas/link-schema.js";
import type { ParserSide } from "../schemas/schema-note.js";

/** What the TypeScript type of an input or output says. */
export interface TypedMessage {
  /** Null if there is no value. */
  readonly schema: LinkedSchema | null;
  /** Whether values arrive one after the other. */
  readonly isStream: boolean;
}

/** What the source of a procedure says. */
export interface ProcedureDocs {
  readonly description: string | null;
  readonly isDeprecated: boolean;
}

/** The types of the procedures of a router, which are named by their paths. */
export interface RouterTypes {
  /** Returns null if the compiler does not know the type. */
  typeOf(path: string, side: ParserSide): TypedMessage | null;
  docsOf(path: string): ProcedureDocs;
}

/** Why there are no types, and what to do about it. */
export interface MissingTypes {
  readonly fault: string;
  readonly help: string;
}

/** Whether there are no types. */
export function isMissing(
  types: RouterTypes | MissingTypes,
): types is MissingTypes {
  return "fault" in types;
}
