import { scalars } from "../../../ir/scalars.js";
import type {
  Contract,
  Enum,
  Field,
  Struct,
  TypeDeclaration,
  TypeReference,
  Union,
} from "../../../ir/contract.js";
import { allowedValues } from "../../../values/allowed-values.js";
import { hasLimits } from "../../../values/limits.js";
import {
  type ContractValues,
  type ResolvedBytes,
  type ResolvedList,
  type ResolvedMap,
  type ResolvedStruct,
  type ResolvedUnion,
  type ResolvedValue,
  valuesOf,
} from "../../../values/value.js";
import { unionTitle } from "../../../values/union-title.js";
import { variantsOf } from "../../../values/variants.js";
import type { EmitOptions } from "../../emitter/emitter.js";
import { quoteString } from "../text/quote.js";
import { inheritedNames } from "../names/reserved.js";
import { scalarForm } from "./scalars.js";
import { bytesTitle, limitsTitle, listTitle, scalarTitle } from "./titles.js";
import type {
  Composite,
  DeclaredName,
  Empty,
  EnumPlan,
  FieldPlan,
  ObjectPlan,
  StructPlan,
  TypePlan,
  UnionPlan,
  UnitPlan,
  Value,
  Values,
  VariantPlan,
} from "./plan.js";

/** A struct whose fields are added after all types are known. */
interface StructShell extends StructPlan {
  readonly fields: FieldPlan[];
}

/** A union whose variants are added after all types are known. */
interface UnionShell extends UnionPlan {
  readonly variants: VariantPlan[];
}

/** Plans the values of a contract, one for each declared type and core type. */
export class ValueFactory implements Values {
  /** Declared types by their names in RIDL. */
  readonly types = new Map<string, TypePlan>();
  readonly #options: EmitOptions;
  readonly #resolved: ContractValues;
  readonly #nameOf: (type: TypeDeclaration) => DeclaredName;
  readonly #names = new Map<TypeDeclaration, DeclaredName>();
  readonly #planned = new Map<ResolvedValue, Value>();
  readonly #enums = new Map<Enum, EnumPlan>();
  readonly #structs = new Map<Struct, StructShell>();
  readonly #unions = new Map<Union, UnionShell>();

  constructor(
    contract: Contract,
    options: EmitOptions,
    nameOf: (type: TypeDeclaration) => DeclaredName,
  ) {
    this.#options = options;
    this.#resolved = valuesOf(contract);
    this.#nameOf = nameOf;
    for (const type of contract.types)
      this.types.set(type.name, this.#planType(type));
    for (const { fields, struct } of this.#structs.values()) {
      for (const field of struct.fields) fields.push(this.field(field));
    }
    for (const { union, variants } of this.#unions.values()) {
      for (const { type, value: _, ...facts } of variantsOf(this.#resolved)(
        union,
      ))
        variants.push({ ...facts, value: this.valueOf(type) });
    }
  }

  /** All declared structs and unions. */
  get composites(): readonly (StructPlan | UnionPlan)[] {
    return [...this.#structs.values(), ...this.#unions.values()];
  }

  /** Returns the value of a type as written. */
  valueOf(reference: TypeReference): Value {
    const resolved = this.#resolved.valueOf(reference);
    return setOnce(this.#planned, resolved, () => this.#plan(resolved));
  }

  /** Plans a field, with its value and the field's limits. */
  field(field: Field): FieldPlan {
    const { constraints, isNullable, isOptional, jsonName } = field;
    const type = this.valueOf(field.type);
    const value = hasLimits(constraints)
      ? this.#plan(this.#resolved.valueOf(field))
      : type;
    return {
      field,
      value,
      type,
      own: constraints,
      isAbsentAsNull: isOptional && !isNullable && !takesNull(value),
      nullAs: isOptional || isNullable ? null : value.nullAs,
      isInherited: inheritedNames.has(jsonName),
    };
  }

  #plan(resolved: ResolvedValue): Value {
    const { isNullable, layers, limits, name } = resolved;
    const declared =
      name === null ? null : this.#name(this.#resolved.type(name));
    const titled = (title: string): string => titleOf(resolved) ?? title;
    // Literals, because there are many values, and copies take more memory.
    switch (resolved.kind) {
      case "scalar": {
        const { isSafe, kind, scalar: name } = resolved;
        const form = scalarForm(name, isSafe, this.#options);
        const allowed = allowedValues(limits, this.#options.int64);
        const usual = allowed ? listTitle(allowed) : scalarTitle(name, limits);
        const title = titled(usual);
        const nullAs = null;
        return {
          kind,
          name,
          form,
          resolved,
          allowed,
          declared,
          limits,
          layers,
          title,
          nullAs,
          isNullable,
        };
      }
      case "enum": {
        const { declaration, kind } = resolved;
        const type = this.#enum(declaration);
        const allowed = allowedValues(limits, this.#options.int64);
        const values = declaration.members.map((each) => each.jsonValue);
        const title = titled(listTitle(allowed ?? values));
        return {
          kind,
          type,
          resolved,
          allowed,
          declared,
          limits,
          layers,
          title,
          nullAs: null,
          isNullable,
        };
      }
      case "struct":
      case "union":
        return this.#planComposite(resolved, declared);
      case "bytes":
      case "list":
      case "map":
        return this.#planItems(resolved, declared);
    }
  }

  #planComposite(
    resolved: ResolvedStruct | ResolvedUnion,
    declared: DeclaredName | null,
  ): Value {
    const { isNullable, layers, limits } = resolved;
    const facts = { declared, limits, layers, nullAs: null, isNullable };
    if (resolved.kind === "struct") {
      const { declaration, kind } = resolved;
      const title = titleOf(resolved) ?? "an object";
      return { kind, type: this.#struct(declaration), title, ...facts };
    }
    const { declaration, kind } = resolved;
    const usual = unionTitle(this.#resolved, declaration);
    const title = titleOf(resolved) ?? usual;
    return { kind, type: this.#union(declaration), title, ...facts };
  }

  #planItems(
    resolved: ResolvedBytes | ResolvedList | ResolvedMap,
    declared: DeclaredName | null,
  ): Value {
    const { isNullable, kind, layers, limits } = resolved;
    if (kind === "bytes") {
      const { scalar: name } = resolved;
      const title = bytesTitle(limits);
      const nullAs = this.#nullAs("emptyBytes", resolved);
      return {
        kind,
        name,
        declared,
        limits,
        layers,
        title,
        nullAs,
        isNullable,
      };
    }
    const title = titleOf(resolved) ?? kind;
    if (kind === "list") {
      const held = this.valueOf(resolved.element);
      const nullAs = this.#nullAs("emptyList", resolved);
      return {
        kind,
        held,
        declared,
        limits,
        layers,
        title,
        nullAs,
        isNullable,
      };
    }
    const key = this.valueOf(resolved.key);
    const held = this.valueOf(resolved.held);
    const nullAs = this.#nullAs("emptyMap", resolved);
    return {
      kind,
      key,
      held,
      declared,
      limits,
      layers,
      title,
      nullAs,
      isNullable,
    };
  }

  #nullAs(empty: Empty, { isNullable }: ResolvedValue): Empty | null {
    return this.#options.nullAsEmpty === true && !isNullable ? empty : null;
  }

  #planType(declaration: TypeDeclaration): TypePlan {
    switch (declaration.kind) {
      case "struct":
        return this.#struct(declaration);
      case "enum":
        return this.#enum(declaration);
      case "union":
        return this.#union(declaration);
      case "alias": {
        const { constraints: own, kind, name, type: written } = declaration;
        const value = this.valueOf({ kind: "reference", name });
        const type = this.valueOf(written);
        const declared = this.#name(declaration);
        return { kind, ...declared, alias: declaration, type, value, own };
      }
    }
  }

  #struct(struct: Struct): StructPlan {
    return setOnce(this.#structs, struct, () => {
      const { kind } = struct;
      return { kind, ...this.#name(struct), struct, fields: [] };
    });
  }

  #union(union: Union): UnionPlan {
    return setOnce(this.#unions, union, () => {
      const { kind } = union;
      return { kind, ...this.#name(union), union, variants: [] };
    });
  }

  #enum(declaration: Enum): EnumPlan {
    return setOnce(this.#enums, declaration, () => {
      const { kind } = declaration;
      return { kind, ...this.#name(declaration), declaration };
    });
  }

  #name(declaration: TypeDeclaration): DeclaredName {
    return setOnce(this.#names, declaration, this.#nameOf);
  }
}

/** Returns a value of a map, which is created if it is missing. */
function setOnce<Key, Item>(
  map: Map<Key, Item>,
  key: Key,
  create: (key: Key) => Item,
): Item {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create(key);
  map.set(key, created);
  return created;
}

/**
 * Returns the title in the schema, with limits that were added to it. Returns
 * null if there is none, or if a list of values was added.
 */
function titleOf({ title }: ResolvedValue): string | null {
  if (title?.further.some((each) => each.enum !== undefined)) return null;
  return title && title.text + title.further.map(limitsTitle).join("");
}

/** Whether null is a value and does not mean absent. */
function takesNull(value: Value): boolean {
  if (value.kind === "union")
    return value.type.union.variants.some(
      (type) => type.kind === "scalar" && type.name === "null",
    );
  if (value.kind !== "scalar") return false;
  const { wire } = scalars[value.name];
  return wire === "any" || wire === "null";
}

/** Returns the struct or union in a value, list or map, or null. */
export function compositeIn(value: Value): StructPlan | UnionPlan | null {
  switch (value.kind) {
    case "struct":
    case "union":
      return value.type;
    case "list":
    case "map":
      return compositeIn(value.held);
    case "scalar":
    case "bytes":
    case "enum":
      return null;
  }
}

/** Returns the field that collects the extra members of an object, if any. */
export function extraOf({ fields }: ObjectPlan): FieldPlan | undefined {
  return fields.find(({ field }) => field.isExtra);
}

/** Returns the fields of an object that are members of its JSON. */
export function membersOf({ fields }: ObjectPlan): readonly FieldPlan[] {
  return fields.filter(({ field }) => !field.isExtra);
}

/** Returns the names of the members of an object that fields declare, quoted. */
export function memberNames(object: ObjectPlan): readonly string[] {
  return membersOf(object).map(({ field }) => quoteString(field.jsonName));
}

/** Returns the values of the fields of an object, or of the variants of a union. */
export function valuesIn(composite: Composite): readonly Value[] {
  return "variants" in composite
    ? composite.variants.map(({ value }) => value)
    : composite.fields.map(({ value }) => value);
}

/** Returns all structs and unions of a unit, and its messages with arguments. */
export function compositesOf({
  messages,
  types,
}: UnitPlan): readonly Composite[] {
  return [
    ...types.filter((type) => type.kind === "struct" || type.kind === "union"),
    ...messages,
  ];
}
