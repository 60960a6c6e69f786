import { isByteName } from "../../../ir/bytes.js";
import type {
  Alias,
  Constraints,
  Contract,
  Field,
  ScalarName,
  TypeDeclaration,
  TypeReference,
} from "../../../ir/contract.js";
import { invariant } from "../../../ir/invariant.js";
import { isBoundToSafe, mergeConstraints } from "../../../ir/resolve.js";
import { isWideInteger, scalars } from "../../../ir/scalars.js";
import type { EmitOptions } from "../../emitter/emitter.js";
import { inheritedNames } from "../names/reserved.js";
import { scalarForm } from "./scalars.js";
import { bytesTitle, enumTitle, limitsTitle, scalarTitle } from "./titles.js";
import type {
  DeclaredName,
  Empty,
  FieldPlan,
  ObjectPlan,
  ScalarValue,
  StructPlan,
  TypePlan,
  UnitPlan,
  Value,
  Values,
} from "./plan.js";

/** The properties that an alias or a field adds to a type. */
interface Addition {
  readonly constraints: Constraints;
  readonly title: string | null;
  readonly acceptsInteger: boolean;
  readonly declared: DeclaredName | null;
}

/** A struct whose fields are added after all types are known. */
interface StructShell extends StructPlan {
  readonly fields: FieldPlan[];
}

/** Creates the values of a contract, one for each type and plain core type. */
export class ValueFactory implements Values {
  /** Declared types by their names in RIDL. */
  readonly types = new Map<string, TypePlan>();
  readonly structs: StructShell[] = [];
  readonly #options: EmitOptions;
  readonly #declarations: ReadonlyMap<string, TypeDeclaration>;
  readonly #nameOf: (type: TypeDeclaration) => DeclaredName;
  readonly #scalars = new Map<ScalarName, ScalarValue>();
  /** Values of declared types by their names in RIDL. */
  readonly #values = new Map<string, Value>();

  constructor(
    { types }: Contract,
    options: EmitOptions,
    nameOf: (type: TypeDeclaration) => DeclaredName,
  ) {
    this.#options = options;
    this.#declarations = new Map(types.map((type) => [type.name, type]));
    this.#nameOf = nameOf;
    for (const type of types) this.#declare(type);
    for (const { fields, struct } of this.structs) {
      for (const field of struct.fields) fields.push(this.field(field));
    }
  }

  /** Returns the value of a type as written. */
  valueOf(reference: TypeReference): Value {
    switch (reference.kind) {
      case "scalar":
        return this.#scalar(reference.name);
      case "list": {
        const held = this.valueOf(reference.element);
        if (held.kind !== "scalar" || !isByteName(held.name)) {
          const nullAs = this.#nullAs("emptyList");
          return { kind: "list", held, ...written, title: "list", nullAs };
        }
        const { name } = held;
        const nullAs = this.#nullAs("emptyBytes");
        const title = bytesTitle({});
        return { kind: "bytes", name, ...written, title, nullAs };
      }
      case "map": {
        const key = this.valueOf(reference.key);
        const held = this.valueOf(reference.value);
        const nullAs = this.#nullAs("emptyMap");
        return { kind: "map", key, held, ...written, title: "map", nullAs };
      }
      case "reference":
        return this.#valueOfType(reference.name);
    }
  }

  /** Plans a field, with its value and the field's limits. */
  field(field: Field): FieldPlan {
    const type = this.valueOf(field.type);
    const { constraints } = field;
    const value = hasSome(constraints)
      ? this.#limit(type, {
          constraints,
          title: null,
          acceptsInteger: false,
          declared: type.declared,
        })
      : type;
    return {
      field,
      value,
      type,
      own: constraints,
      isAbsentAsNull:
        field.isOptional && !field.isNullable && !takesNull(value),
      nullAs: field.isOptional || field.isNullable ? null : value.nullAs,
      isInherited: inheritedNames.has(field.jsonName),
    };
  }

  #nullAs(empty: Empty): Empty | null {
    const { compat, nullAsEmpty = compat === "webrpc" } = this.#options;
    return nullAsEmpty ? empty : null;
  }

  #declare(type: TypeDeclaration): void {
    // An alias that refers to this type may already have declared it.
    if (this.types.has(type.name)) return;
    const head = this.#nameOf(type);
    const facts = { ...written, declared: head };
    switch (type.kind) {
      case "struct": {
        const struct = { kind: type.kind, ...head, struct: type, fields: [] };
        this.structs.push(struct);
        const value = { ...facts, type: struct, title: "an object" };
        return this.#add(type, struct, { kind: "struct", ...value });
      }
      case "enum": {
        const plan = { kind: type.kind, ...head, declaration: type };
        const value = { ...facts, type: plan, title: enumTitle(type) };
        return this.#add(type, plan, { kind: "enum", ...value });
      }
      case "alias":
        return this.#declareAliases(type);
    }
  }

  #add({ name }: TypeDeclaration, plan: TypePlan, value: Value): void {
    this.types.set(name, plan);
    this.#values.set(name, value);
  }

  /**
   * Declares an alias and the aliases that it refers to. Uses a loop, because
   * chains can be long.
   */
  #declareAliases(first: Alias): void {
    const chain: Alias[] = [];
    let next: TypeDeclaration | undefined = first;
    while (next?.kind === "alias" && !this.types.has(next.name)) {
      chain.push(next);
      next =
        next.type.kind === "reference"
          ? this.#declarations.get(next.type.name)
          : undefined;
    }
    for (const alias of chain.reverse()) {
      const declared = this.#nameOf(alias);
      const type = this.valueOf(alias.type);
      const { acceptsInteger, constraints, title } = alias;
      const addition = { constraints, title, acceptsInteger, declared };
      const value = this.#limit(type, addition);
      const plan = { alias, ...declared, type, value, own: constraints };
      this.#add(alias, { kind: "alias", ...plan }, value);
    }
  }

  #valueOfType(name: string): Value {
    if (!this.types.has(name)) {
      const declaration = this.#declarations.get(name);
      if (declaration !== undefined) this.#declare(declaration);
    }
    const value = this.#values.get(name);
    invariant(value !== undefined, `type ${name} is not in the contract`);
    return value;
  }

  #scalar(name: ScalarName): ScalarValue {
    const known = this.#scalars.get(name);
    if (known !== undefined) return known;
    const value: ScalarValue = {
      kind: "scalar",
      name,
      form: scalarForm(name, false, this.#options),
      isSafe: false,
      acceptsInteger: false,
      ...written,
      title: scalarTitle(name, {}),
    };
    this.#scalars.set(name, value);
    return value;
  }

  #limit(value: Value, addition: Addition): Value {
    const { constraints, declared } = addition;
    const limits = mergeConstraints(constraints, value.limits);
    const hasGivenTitle = addition.title !== null || value.hasGivenTitle;
    const given = (): string =>
      addition.title ?? value.title + limitsTitle(constraints);
    const facts = { declared, limits, hasGivenTitle };
    switch (value.kind) {
      case "scalar": {
        const { name } = value;
        const isSafe = isWideInteger(name) && isBoundToSafe(name, limits);
        return {
          ...value,
          ...facts,
          form: scalarForm(name, isSafe, this.#options),
          isSafe,
          acceptsInteger: addition.acceptsInteger || value.acceptsInteger,
          title: hasGivenTitle ? given() : scalarTitle(name, limits),
        };
      }
      case "bytes":
        return { ...value, ...facts, title: bytesTitle(limits) };
      case "enum":
      case "struct":
      case "list":
      case "map":
        return {
          ...value,
          ...facts,
          title: hasGivenTitle ? given() : value.title,
        };
    }
  }
}

/** Properties of a type without a name. */
const written = {
  declared: null,
  hasGivenTitle: false,
  limits: {},
  nullAs: null,
} as const;

/** Whether null is a value and does not mean absent. */
function takesNull(value: Value): boolean {
  if (value.kind !== "scalar") return false;
  const { wire } = scalars[value.name];
  return wire === "any" || wire === "null";
}

function hasSome(constraints: Constraints): boolean {
  for (const _ in constraints) return true;
  return false;
}

/** Returns the struct in a value, list or map, or null. */
export function structIn(value: Value): StructPlan | null {
  switch (value.kind) {
    case "struct":
      return value.type;
    case "list":
    case "map":
      return structIn(value.held);
    case "scalar":
    case "bytes":
    case "enum":
      return null;
  }
}

/** Returns all structs of a unit, and the messages that list arguments. */
export function objectsOf({
  messages,
  types,
}: UnitPlan): readonly ObjectPlan[] {
  return [...types.filter((type) => type.kind === "struct"), ...messages];
}
