import type {
  Alias,
  Constraints,
  Contract,
  Field,
  ScalarName,
  TypeDeclaration,
  TypeReference,
} from "./contract.js";
import { invariant } from "./invariant.js";
import { rememberEach } from "./remember.js";

/** Look-ups that every emitter needs; pure, made once a run. */
export interface ContractIndex {
  /** The declaration of that name; names in a contract always resolve. */
  type(name: string): TypeDeclaration;
  /** The same type with aliases looked through: never a reference to an alias. */
  resolve(reference: TypeReference): TypeReference;
  /** The aliases that `resolve` looks through, the nearest first. */
  aliasesFrom(reference: TypeReference): readonly Alias[];
  /**
   * Everything that limits a value: what the field says, and what the aliases
   * on the way to its type say. Numbers are the tightest of all; of several
   * patterns, formats or examples the nearest to the field is given.
   */
  constraintsOf(subject: Field | TypeReference): Constraints;
  /** The same one by one, as all of them hold: the field's, then each alias's. */
  constraintsAlong(subject: Field | TypeReference): readonly Constraints[];
  /**
   * Whether the type is `int64` or `uint64` and its constraints keep it within
   * ±(2^53-1), so that a JavaScript number holds it.
   */
  isSafeInteger(subject: Field | TypeReference): boolean;
}

/**
 * Input: a contract. Output: its look-ups.
 * Errors: asking for a name that the contract does not hold is a bug and throws.
 */
export const createIndex = rememberEach(indexOf);

function indexOf(contract: Contract): ContractIndex {
  const types = new Map(contract.types.map((type) => [type.name, type]));

  function type(name: string): TypeDeclaration {
    const declaration = types.get(name);
    if (declaration === undefined) unknownType(name);
    return declaration;
  }

  // Loops, not recursion: a chain of aliases may be long.
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
    // Asked for every field: limits are put together only where they matter.
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

/** Apart from its caller, which would else make the text of a fault each time. */
function unknownType(name: string): never {
  invariant(false, `type ${name} is not in the contract`);
}

/** Whether the core type has values that a JavaScript number may not hold. */
export function isWideInteger(name: ScalarName): name is WideInteger {
  return name === "int64" || name === "uint64";
}

type WideInteger = "int64" | "uint64";

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
 * Both sets of limits at once: the tightest of each number, `near` first for
 * what cannot be combined.
 */
export function mergeConstraints(
  near: Constraints,
  far: Constraints,
): Constraints {
  // Most types have none.
  if (Object.keys(far).length === 0) return near;
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

/** A value of `T` that may carry `undefined` where `T` leaves a key out. */
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
