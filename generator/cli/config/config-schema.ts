import written from "../../../config.schema.json" with { type: "json" };

/** The keywords of JSON Schema that config.schema.json uses. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: boolean | string;
  readonly pattern?: string;
  /**
   * Describes valid values, e.g. "must be a list of paths". Editors also show
   * it.
   */
  readonly errorMessage?: string;
  readonly minItems?: number;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Schemas;
  readonly propertyNames?: Schema;
  readonly additionalProperties?: boolean | Schema;
  /** Schemas that also apply if the property of that name is present. */
  readonly dependencies?: Schemas;
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
}

/** Schemas by name. */
export type Schemas = Readonly<Record<string, Schema>>;

/** The schema of the configuration file, config.schema.json. */
export const configSchema: Schema = written;

/** Follows a reference, e.g. `#/definitions/path`. */
export function resolveSchema(schema: Schema): Schema {
  const name = schema.$ref?.slice("#/definitions/".length);
  const definitions: Schemas = written.definitions;
  return name === undefined ? schema : (definitions[name] ?? schema);
}
