import type {
  Alias,
  Constraints,
  Contract,
  Field,
  TypeDeclaration,
  TypeReference,
} from "./contract.js";
import { invariant } from "./invariant.js";
import { rememberEach } from "./remember.js";
import { isWideInteger, type WideInteger } from "./scalars.js";

/**
 * Lookups that every emitter needs. They are pure and created once for each
 * contract.
 */
export interface ContractIndex {
  /**
   * Returns the declaration with this name. Names in a contract always resolve.
   */
  type(name: string): TypeDeclaration;
  /** Resolves aliases. The result is never a reference to an alias. */
  resolve(reference: TypeReference): TypeReference;
  /** Returns the aliases that `resolve` follows, nearest first. */
  aliasesFrom(reference: TypeReference): readonly Alias[];
  /**
   * Returns all constraints of a value, from the field and from the aliases of
   * its type. Of several numeric limits, the result contains the tightest. Of
   * several patterns, formats or examples, it contains the one nearest to the
   * field.
   */
  constraintsOf(subject: Field | TypeReference): Constraints;
  /**
   * Returns the same constraints without merging them: the field's, followed by
   * those of each alias.
   */
  constraintsAlong(subject: Field | TypeReference): readonly Constraints[];
  /**
   * Whether the type is `int64` or `uint64` and its constraints keep it within
   * ±(2^53-1), so that a JavaScript number can represent it.
   */
  isSafeInteger(subject: Field | TypeReference): boolean;
}

/** Creates the lookups for a contract. Looking up an unknown name throws. */
export const createIndex = rememberEach(indexOf);

function indexOf(contract: Contract): ContractIndex {
  const types = new Map(contract.types.map((type) => [type.name, type]));

  function type(name: string): TypeDeclaration {
    const declaration = types.get(name);
    if (declaration === undefined) unknownType(name);
    return declaration;
  }

  // Uses a loop instead of recursion, because a chain of aliases can be long.
  function aliasesFrom(reference: TypeReference): readonly Alias[] {
    const aliases: Alias[] = [];
    let next = reference;
    while (next.kind === "reference") {
      const declaration = type(next.name);
      if (declaration.kind !== "alias") break;
      aliases.push(declaration);
      next = declaration.type;
    }
    return aliases;
  }

  function resolve(reference: TypeReference): TypeReference {
    let next = reference;
    while (next.kind === "reference") {
      const declaration = type(next.name);
      if (declaration.kind !== "alias") break;
      next = declaration.type;
    }
    return next;
  }

  function constraintsAlong(
    subject: Field | TypeReference,
  ): readonly Constraints[] {
    const isField = subject.kind === "field";
    const aliases = aliasesFrom(isField ? subject.type : subject);
    const own = isField ? subject.constraints : {};
    return [own, ...aliases.map(({ constraints }) => constraints)];
  }

  function constraintsOf(subject: Field | TypeReference): Constraints {
    return constraintsAlong(subject).reduce(mergeConstraints);
  }

  function isSafeInteger(subject: Field | TypeReference): boolean {
    const reference = resolve(
      subject.kind === "field" ? subject.type : subject,
    );
    if (reference.kind !== "scalar") return false;
    const { name } = reference;
    // Called for every field, so constraints are merged only if they matter.
    return isWideInteger(name) && isBoundToSafe(name, constraintsOf(subject));
  }

  return {
    type,
    resolve,
    aliasesFrom,
    constraintsOf,
    constraintsAlong,
    isSafeInteger,
  };
}

/**
 * Throws an error. This is a separate function, so that only failures create
 * the message.
 */
function unknownType(name: string): never {
  invariant(false, `type ${name} is not in the contract`);
}

/** Whether limits keep a 64-bit integer within ±(2^53-1). */
export function isBoundToSafe(
  name: WideInteger,
  { maximum, minimum }: Constraints,
): boolean {
  const isBelow = maximum !== undefined && maximum <= Number.MAX_SAFE_INTEGER;
  const isAbove = minimum !== undefined && minimum >= Number.MIN_SAFE_INTEGER;
  return isBelow && (isAbove || name === "uint64");
}

/**
 * Merges two sets of constraints. The tighter of two limits applies. Otherwise,
 * `near` takes precedence.
 */
export function mergeConstraints(
  near: Constraints,
  far: Constraints,
): Constraints {
  // Most types have no constraints.
  if (Object.keys(far).length === 0) return near;
  if (Object.keys(near).length === 0) return far;
  const merged = {
    minimum: largest(near.minimum, far.minimum),
    maximum: smallest(near.maximum, far.maximum),
    minLength: largest(near.minLength, far.minLength),
    maxLength: smallest(near.maxLength, far.maxLength),
    pattern: near.pattern ?? far.pattern,
    format: near.format ?? far.format,
    minItems: largest(near.minItems, far.minItems),
    maxItems: smallest(near.maxItems, far.maxItems),
    uniqueItems: near.uniqueItems ?? far.uniqueItems,
    minProperties: largest(near.minProperties, far.minProperties),
    maxProperties: smallest(near.maxProperties, far.maxProperties),
    example: near.example ?? far.example,
  };
  return withoutUndefined(merged);
}

/** `T` with optional keys that can also be `undefined`. */
type Loose<T> = { readonly [Key in keyof T]?: T[Key] | undefined };

function withoutUndefined(loose: Loose<Constraints>): Constraints {
  const entries = Object.entries(loose).filter(
    ([, value]) => value !== undefined,
  );
  return Object.fromEntries(entries);
}

function largest<N extends number | bigint>(
  a: N | undefined,
  b: N | undefined,
): N | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a >= b ? a : b;
}

function smallest<N extends number | bigint>(
  a: N | undefined,
  b: N | undefined,
): N | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a <= b ? a : b;
}
