import type {
  AliasData,
  CredentialData,
  EnumData,
  ErrorData,
  ExplorerData,
  FieldData,
  HostData,
  InputForm,
  LimitsData,
  MessageData,
  MethodData,
  ScalarData,
  ServiceData,
  StructData,
  TypeData,
  TypeReference,
  UnionData,
} from "../../../generator/4-emit/docs/explorer-data.js";

/** A method with its service and host. */
export interface Entry {
  /** A unique ID, which the address bar shows, e.g. `API.GetSwapPrice`. */
  readonly id: string;
  readonly host: HostData;
  readonly service: ServiceData;
  readonly method: MethodData;
}

/** The type of a value in a form, with aliases resolved. */
export type Shape =
  | {
      readonly kind: "scalar";
      readonly scalar: ScalarData;
      readonly limits: LimitsData;
      /** Enum that lists its known values. Other values are possible. */
      readonly known: EnumData | null;
    }
  | { readonly kind: "bytes"; readonly limits: LimitsData }
  | {
      readonly kind: "enum";
      /** The members that limits allow, in JSON. */
      readonly values: readonly string[];
    }
  | {
      readonly kind: "list";
      readonly element: TypeReference;
      readonly limits: LimitsData;
    }
  | {
      readonly kind: "map";
      readonly key: TypeReference;
      readonly value: TypeReference;
      readonly limits: LimitsData;
    }
  | { readonly kind: "struct"; readonly fields: readonly FieldData[] }
  | { readonly kind: "union"; readonly declaration: UnionData };

/** The contract with lookups. */
export interface Model {
  readonly data: ExplorerData;
  readonly entries: readonly Entry[];
  find(id: string): Entry | null;
  type(name: string): TypeData | null;
  /** Returns the aliases that a reference resolves through, nearest first. */
  aliases(reference: TypeReference): readonly AliasData[];
  /** Whether an alias of the type allows null. */
  isNullable(reference: TypeReference): boolean;
  /** Resolves a type. Input: the limits of the field that has it, if any. */
  shape(reference: TypeReference, limits?: LimitsData): Shape;
  fieldsOf(message: MessageData | undefined): readonly FieldData[];
  error(name: string): ErrorData | null;
  credentialsOf(method: MethodData): readonly CredentialData[];
}

/** Creates the lookups for a contract. */
export function createModel(data: ExplorerData): Model {
  const types: Types = {
    declared: new Map(data.types.map((type) => [type.name, type])),
    scalars: new Map(data.scalars.map((scalar) => [scalar.name, scalar])),
  };
  const errors = new Map(data.errors.map((error) => [error.name, error]));
  const entries = entriesOf(data);
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return {
    data,
    entries,
    find: (id) => byId.get(id) ?? null,
    type: (name) => types.declared.get(name) ?? null,
    aliases: (reference) => aliasesOf(types, reference),
    isNullable: (reference) =>
      aliasesOf(types, reference).some(({ isNullable }) => isNullable),
    shape: (reference, limits) => shapeOf(types, reference, limits),
    fieldsOf: (message) => {
      if (message?.struct === undefined) return message?.fields ?? [];
      const struct = types.declared.get(message.struct);
      return struct?.kind === "struct" ? struct.fields : [];
    },
    error: (name) => errors.get(name) ?? null,
    credentialsOf: (method) =>
      method.credentials.flatMap(
        (header) =>
          data.credentials.find((each) => each.header === header) ?? [],
      ),
  };
}

interface Types {
  readonly declared: ReadonlyMap<string, TypeData>;
  readonly scalars: ReadonlyMap<string, ScalarData>;
}

function aliasesOf(
  { declared }: Types,
  reference: TypeReference,
): readonly AliasData[] {
  const found: AliasData[] = [];
  let next = reference;
  while (next.kind === "reference") {
    const declaration = declared.get(next.name);
    if (declaration?.kind !== "alias") break;
    found.push(declaration);
    next = declaration.type;
  }
  return found;
}

function shapeOf(
  types: Types,
  reference: TypeReference,
  own?: LimitsData,
): Shape {
  const chain = aliasesOf(types, reference);
  const limits = own ?? chain[0]?.limits ?? {};
  const target = chain.at(-1)?.type ?? reference;
  switch (target.kind) {
    case "scalar": {
      const { known = "" } = chain.find((alias) => alias.known) ?? {};
      const values = types.declared.get(known);
      const { name } = target;
      return {
        kind: "scalar",
        scalar: types.scalars.get(name) ?? {
          name,
          form: "json",
          example: "{}",
        },
        limits,
        known: values?.kind === "enum" ? values : null,
      };
    }
    case "list":
      return isByte(types, target.element)
        ? { kind: "bytes", limits }
        : { kind: "list", element: target.element, limits };
    case "map":
      return { ...target, limits };
    case "reference":
      return shapeOfDeclared(types.declared.get(target.name), limits);
  }
}

function isByte(types: Types, element: TypeReference): boolean {
  const target = aliasesOf(types, element).at(-1)?.type ?? element;
  return (
    target.kind === "scalar" &&
    (target.name === "byte" || target.name === "uint8")
  );
}

function shapeOfDeclared(
  declaration: TypeData | undefined,
  limits: LimitsData,
): Shape {
  switch (declaration?.kind) {
    case "enum": {
      const members = declaration.members.map(({ value }) => value);
      return { kind: "enum", values: limits.enum ?? members };
    }
    case "struct":
      return { kind: "struct", fields: declaration.fields };
    case "union":
      return { kind: "union", declaration };
    // Unreachable in a checked contract: aliases and names are resolved.
    case "alias":
    case undefined:
      return { kind: "struct", fields: [] };
  }
}

function entriesOf({ hosts }: ExplorerData): readonly Entry[] {
  const ids = new Set<string>();
  const entries: Entry[] = [];
  for (const host of hosts) {
    for (const service of host.services) {
      for (const method of service.methods) {
        const short = `${service.name}.${method.name}`;
        // Two hosts can have services with the same name.
        const id = ids.has(short) ? `${host.name}:${short}` : short;
        ids.add(id);
        entries.push({ id, host, service, method });
      }
    }
  }
  return entries;
}

/** Whether a value is a file or a list of files. */
export function holdsFiles(model: Model, shape: Shape): boolean {
  const inner = shape.kind === "list" ? model.shape(shape.element) : shape;
  return formOf(inner) === "file";
}

/** Returns how users enter a core type, or null for another type. */
export function formOf(shape: Shape): InputForm | null {
  return shape.kind === "scalar" ? shape.scalar.form : null;
}

/** Prints a type in RIDL, e.g. `[]Order` or `map<string,uint64>`. */
export function typeText(reference: TypeReference): string {
  switch (reference.kind) {
    case "scalar":
    case "reference":
      return reference.name;
    case "list":
      return `[]${typeText(reference.element)}`;
    case "map":
      return `map<${typeText(reference.key)},${typeText(reference.value)}>`;
  }
}

export type {
  EnumData,
  FieldData,
  LimitsData,
  MethodData,
  StructData,
  UnionData,
};
