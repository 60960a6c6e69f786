import type {
  Alias,
  Constraints,
  Contract,
  Enum,
  Field,
  ScalarName,
  Struct,
  TypeDeclaration,
  TypeReference,
  Union,
} from "../ir/contract.js";
import { invariant } from "../ir/invariant.js";
import { rememberEach } from "../ir/remember.js";
import { isByteName, isWideInteger, scalars } from "../ir/scalars.js";
import { hasLimits, isBoundToSafe, mergeConstraints } from "./limits.js";

/**
 * What a type or field accepts, with aliases resolved and limits merged. Code
 * that depends on the kind of a value handles every member of this union.
 */
export type ResolvedValue =
  | ResolvedScalar
  | ResolvedBytes
  | ResolvedEnum
  | ResolvedStruct
  | ResolvedList
  | ResolvedMap
  | ResolvedUnion;

/** The properties that all values have. */
interface ResolvedFacts {
  /** The type with its aliases resolved. */
  readonly type: TypeReference;
  /** Name of the declared type, or null if the type is written inline. */
  readonly name: string | null;
  /** The aliases that the type is written with, or null if there are none. */
  readonly aliases: AliasChain | null;
  /**
   * All limits combined. The tightest of several numbers applies. Of several
   * patterns, formats or examples, this contains the one nearest to the field.
   */
  readonly limits: Constraints;
  /** The same limits without merging them, nearest first. */
  readonly layers: readonly Constraints[];
  /** The title that the schema gives, or null if it gives none. */
  readonly title: GivenTitle | null;
  /** Whether an alias of the type allows null in addition to the value. */
  readonly isNullable: boolean;
}

/** The title of an alias. */
export interface GivenTitle {
  readonly text: string;
  /** Limits that were added to the alias, outermost last. */
  readonly further: readonly Constraints[];
}

/** Aliases that refer to each other. It is linked, because it can be long. */
export interface AliasChain {
  readonly alias: Alias;
  readonly next: AliasChain | null;
}

/** A value of a core type. */
export interface ResolvedScalar extends ResolvedFacts {
  readonly kind: "scalar";
  readonly scalar: ScalarName;
  /** Whether limits keep a 64-bit integer within ±(2^53-1). */
  readonly isSafe: boolean;
  /** Whether requests can contain an integer instead of a string of digits. */
  readonly acceptsInteger: boolean;
  /** The known values of an open enum, or null if there are none. */
  readonly known: Enum | null;
}

/** A list of bytes, which is base64 text in JSON. */
export interface ResolvedBytes extends ResolvedFacts {
  readonly kind: "bytes";
  /** The core type of a byte. */
  readonly scalar: ScalarName;
  readonly element: TypeReference;
}

/** A value of a closed enum. */
export interface ResolvedEnum extends ResolvedFacts {
  readonly kind: "enum";
  readonly declaration: Enum;
}

/** An object. */
export interface ResolvedStruct extends ResolvedFacts {
  readonly kind: "struct";
  readonly declaration: Struct;
}

/** An array. */
export interface ResolvedList extends ResolvedFacts {
  readonly kind: "list";
  readonly element: TypeReference;
}

/** An object with any keys. */
export interface ResolvedMap extends ResolvedFacts {
  readonly kind: "map";
  readonly key: TypeReference;
  readonly held: TypeReference;
}

/** A value of one of several types. */
export interface ResolvedUnion extends ResolvedFacts {
  readonly kind: "union";
  readonly declaration: Union;
}

/** Resolves the types and fields of a contract. */
export interface ContractValues {
  /** Returns a declaration. Names in a contract always resolve. */
  type(name: string): TypeDeclaration;
  /** Returns the value of a type as written, or of a field. */
  valueOf(subject: Field | TypeReference): ResolvedValue;
}

/** Returns the values of a contract, which are resolved on demand. */
export const valuesOf = rememberEach(
  (contract: Contract): ContractValues => new Resolver(contract),
);

class Resolver implements ContractValues {
  readonly #declared: ReadonlyMap<string, TypeDeclaration>;
  readonly #scalars = new Map<ScalarName, ResolvedScalar>();
  /** Values of declared types. */
  readonly #named = new Map<string, ResolvedValue>();

  constructor({ types }: Contract) {
    this.#declared = new Map(types.map((type) => [type.name, type]));
  }

  type(name: string): TypeDeclaration {
    const declaration = this.#declared.get(name);
    if (declaration === undefined) unknownType(name);
    return declaration;
  }

  valueOf(subject: Field | TypeReference): ResolvedValue {
    if (subject.kind !== "field") return this.#ofType(subject);
    return addLimits(this.#ofType(subject.type), subject.constraints);
  }

  #ofType(type: TypeReference): ResolvedValue {
    switch (type.kind) {
      case "scalar":
        return this.#ofScalar(type.name);
      case "list": {
        const { element } = type;
        const item = this.#follow(element);
        return item.kind === "scalar" && isByteName(item.name)
          ? { kind: "bytes", scalar: item.name, element, ...inline, type }
          : { kind: "list", element, ...inline, type };
      }
      case "map": {
        const { key, value: held } = type;
        return { kind: "map", key, held, ...inline, type };
      }
      case "reference":
        return this.#ofName(type.name);
    }
  }

  #ofScalar(scalar: ScalarName): ResolvedScalar {
    const known = this.#scalars.get(scalar);
    if (known !== undefined) return known;
    const value: ResolvedScalar = {
      kind: "scalar",
      scalar,
      isSafe: false,
      acceptsInteger: false,
      known: null,
      ...inline,
      type: { kind: "scalar", name: scalar },
    };
    this.#scalars.set(scalar, value);
    return value;
  }

  /** Uses a loop instead of recursion, because a chain of aliases can be long. */
  #ofName(name: string): ResolvedValue {
    const aliases: Alias[] = [];
    let next = this.#step({ kind: "reference", name });
    while (next.kind === "alias") {
      aliases.push(next);
      next = this.#step(next.type);
    }
    let value = next;
    for (const alias of aliases.reverse()) {
      value = this.#limitByAlias(value, alias);
      this.#named.set(alias.name, value);
    }
    return value;
  }

  /** Follows one reference: to a value, or to another alias. */
  #step(type: TypeReference): ResolvedValue | Alias {
    return type.kind === "reference"
      ? (this.#named.get(type.name) ?? this.#ofDeclared(this.type(type.name)))
      : this.#ofType(type);
  }

  #ofDeclared(declaration: TypeDeclaration): ResolvedValue | Alias {
    const { name } = declaration;
    const facts = {
      ...inline,
      name,
      type: { kind: "reference", name },
    } as const;
    switch (declaration.kind) {
      case "struct":
        return this.#keep(name, { kind: "struct", declaration, ...facts });
      case "enum":
        return this.#keep(name, { kind: "enum", declaration, ...facts });
      case "union": {
        const { constraints, isNullable, title } = declaration;
        const given = title === null ? null : { text: title, further: [] };
        const value = {
          kind: "union",
          declaration,
          ...facts,
          isNullable,
        } as const;
        const limited = addLimits(value, constraints);
        return this.#keep(name, { ...limited, title: given });
      }
      case "alias":
        return declaration;
    }
  }

  #keep(name: string, value: ResolvedValue): ResolvedValue {
    this.#named.set(name, value);
    return value;
  }

  #follow(type: TypeReference): TypeReference {
    let next = type;
    while (next.kind === "reference") {
      const declared = this.type(next.name);
      if (declared.kind !== "alias") break;
      next = declared.type;
    }
    return next;
  }

  /** Adds what an alias says about the type that it refers to. */
  #limitByAlias(value: ResolvedValue, alias: Alias): ResolvedValue {
    const limited = addLimits(value, alias.constraints);
    const aliases = { alias, next: value.aliases };
    const title =
      alias.title === null ? limited.title : { text: alias.title, further: [] };
    const isNullable = alias.isNullable || limited.isNullable;
    const named = { ...limited, name: alias.name, aliases, title, isNullable };
    if (named.kind !== "scalar") return named;
    const known = alias.known === null ? null : this.type(alias.known);
    return {
      ...named,
      acceptsInteger: alias.acceptsInteger || named.acceptsInteger,
      known: known?.kind === "enum" ? known : named.known,
    };
  }
}

/** The facts about a type that is written inline. */
const inline = {
  name: null,
  aliases: null,
  limits: {},
  layers: [],
  title: null,
  isNullable: false,
} as const;

/** Returns a value with further limits, which are nearer to the field. */
export function addLimits(
  value: ResolvedValue,
  constraints: Constraints,
): ResolvedValue {
  if (!hasLimits(constraints)) return value;
  const limits = mergeConstraints(constraints, value.limits);
  const title = value.title && {
    text: value.title.text,
    further: [...value.title.further, constraints],
  };
  const layers = [constraints, ...value.layers];
  if (value.kind !== "scalar" || !isWideInteger(value.scalar))
    return { ...value, limits, layers, title };
  const isSafe = isBoundToSafe(value.scalar, limits);
  return { ...value, limits, layers, title, isSafe };
}

/** Returns the aliases that a type is written with, nearest first. */
export function aliasesOf({ aliases }: ResolvedValue): readonly Alias[] {
  const found: Alias[] = [];
  for (let link = aliases; link !== null; link = link.next)
    found.push(link.alias);
  return found;
}

/** Whether a value is a file or a list of files. */
export function isFile(scope: ContractValues, value: ResolvedValue): boolean {
  switch (value.kind) {
    case "list":
      return isFile(scope, scope.valueOf(value.element));
    case "scalar":
      return scalars[value.scalar].wire === "file";
    case "bytes":
    case "enum":
    case "struct":
    case "map":
    case "union":
      return false;
  }
}

/**
 * Throws an error. This is a separate function, so that only failures create
 * the message.
 */
function unknownType(name: string): never {
  invariant(false, `type ${name} is not in the contract`);
}
