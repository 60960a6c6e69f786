import { invariant } from "../../ir/invariant.js";
import written from "../../../templates/view.schema.json" with { type: "json" };

/** The type of a value in a view, as the check of templates sees it. */
export type ViewType =
  /** Text from a contract, which must be quoted. */
  | { readonly kind: "text" }
  | { readonly kind: "number" }
  | { readonly kind: "boolean" }
  /** A name that code can contain as it is. */
  | { readonly kind: "identifier" }
  /** Text that ridlkit wrote. */
  | { readonly kind: "literal" }
  /** One of a closed list of strings. */
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: "list"; readonly element: ViewType }
  | { readonly kind: "record"; readonly name: string }
  /** Records that a property `kind` distinguishes. */
  | { readonly kind: "union"; readonly name: string }
  | { readonly kind: "nullable"; readonly of: ViewType };

/** The keywords of JSON Schema that view.schema.json uses. */
export interface ViewSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly const?: string | number;
  readonly enum?: readonly string[];
  readonly items?: ViewSchema;
  readonly properties?: Readonly<Record<string, ViewSchema>>;
  readonly anyOf?: readonly ViewSchema[];
  readonly oneOf?: readonly ViewSchema[];
}

const definitions: Readonly<Record<string, ViewSchema>> = written.$defs;

/** Returns the properties of a record, by name. */
export function propertiesOf(record: string): ReadonlyMap<string, ViewType> {
  const { properties = {} } = definitionOf(record);
  return new Map(
    Object.entries(properties).map(([name, schema]) => [name, typeOf(schema)]),
  );
}

/** Returns the records of a union, by the value of `kind`. */
export function variantsOf(union: string): ReadonlyMap<string, string> {
  const { oneOf = [] } = definitionOf(union);
  return new Map(
    oneOf.map((schema) => {
      const name = nameIn(schema);
      const kind = definitionOf(name).properties?.["kind"]?.const;
      return [String(kind), name];
    }),
  );
}

/** Returns the description of a record or union, or an empty text. */
export function describeRecord(name: string): string {
  return definitionOf(name).description ?? "";
}

/**
 * Returns the description of a property, or an empty text. The records of a union
 * describe their common properties alike.
 */
export function describeProperty(record: string, name: string): string {
  const { oneOf = [], properties = {} } = definitionOf(record);
  const [variant] = oneOf;
  return variant === undefined
    ? (properties[name]?.description ?? "")
    : describeProperty(nameIn(variant), name);
}

function nameIn({ $ref = "" }: ViewSchema): string {
  return $ref.slice("#/$defs/".length);
}

function definitionOf(name: string): ViewSchema {
  const definition = Object.hasOwn(definitions, name)
    ? definitions[name]
    : undefined;
  invariant(definition !== undefined, `the view has no type ${name}`);
  return definition;
}

function typeOf(schema: ViewSchema): ViewType {
  if (schema.$ref !== undefined) return referenceOf(nameIn(schema));
  if (schema.const !== undefined) {
    return typeof schema.const === "number"
      ? { kind: "number" }
      : { kind: "choice", values: [schema.const] };
  }
  if (schema.enum !== undefined) return { kind: "choice", values: schema.enum };
  const [of] = schema.anyOf ?? [];
  if (of !== undefined) return { kind: "nullable", of: typeOf(of) };
  switch (schema.type) {
    case "array":
      return { kind: "list", element: typeOf(schema.items ?? {}) };
    case "boolean":
      return { kind: "boolean" };
    case "integer":
      return { kind: "number" };
    case "string":
      return { kind: "text" };
  }
  invariant(false, `${JSON.stringify(schema)} is no type of the view`);
}

function referenceOf(name: string): ViewType {
  if (name === "Identifier") return { kind: "identifier" };
  if (name === "Literal") return { kind: "literal" };
  const kind = definitionOf(name).oneOf === undefined ? "record" : "union";
  return { kind, name };
}
