import type { JsonObject } from "../emitter/json-value.js";

/** A schema and what is known about it. */
export interface SchemaPart {
  readonly schema: JsonObject;
  /** Names of the declared types that the schema refers to. */
  readonly refs: readonly string[];
  /** Whether JSON can represent the schema's own values. */
  readonly isJson: boolean;
}

/** A schema, and how the JSON of a Standard Schema's output differs. */
export interface ObjectPart extends SchemaPart {
  /** Keywords and properties that differ. */
  readonly output: JsonObject;
}
