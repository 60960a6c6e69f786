import { isBytes } from "../../../ir/bytes.js";
import type {
  Contract,
  Field,
  ScalarName,
  TypeDeclaration,
  TypeReference,
} from "../../../ir/contract.js";
import { remember } from "../../../ir/remember.js";
import { createIndex, type ContractIndex } from "../../../ir/resolve.js";
import type { EmitOptions } from "../../emitter.js";
import { isAbsentAsNull } from "../validators/field-access.js";
import { acceptsInteger, readsBigints } from "./exact-integers.js";

/** A function of `runtime/codec` for each direction; null: nothing to do. */
export interface Conversion {
  readonly decode: string | null;
  readonly encode: string | null;
  /**
   * Decoding changes nothing, it only refuses what the type cannot hold. A
   * server has validated before, so only clients do it.
   */
  readonly isGuard: boolean;
}

/** What is done to values of a type or field. */
export interface Needs {
  /** Something in it has another form in TypeScript than on the wire. */
  readonly decodes: boolean;
  /** The same, or a client has to look at it before it trusts its type. */
  readonly guards: boolean;
  /**
   * A client that looks at it has to know its fields: something is converted, or
   * null is a value in it. Else it takes away every null.
   */
  readonly reads: boolean;
  /** Something in it has another form on the wire than in TypeScript. */
  readonly encodes: boolean;
}

const nothing: Needs = {
  decodes: false,
  guards: false,
  reads: false,
  encodes: false,
};

/** Which values are converted between wire and TypeScript. */
export interface Conversions {
  /** What a value that is no struct, list or map is converted by. */
  leaf(subject: Field | TypeReference): Conversion | null;
  reference(reference: TypeReference): Needs;
  field(field: Field): Needs;
  fields(fields: readonly Field[]): Needs;
  /**
   * Whether an encoder writes something else than the value itself: its wire
   * form, or a copy of what the contract knows of it.
   */
  copies(reference: TypeReference): boolean;
}

/**
 * Finds out what needs conversion. Structs may be recursive: what a struct
 * needs is carried from those that need it themselves to those that hold them.
 */
export const createConversions = remember(convert);

function convert(contract: Contract, options: EmitOptions): Conversions {
  const index = createIndex(contract);
  const structs = new Map<string, Needs>();
  const hasBigints = readsBigints(contract, index, options);

  function leaf(subject: Field | TypeReference): Conversion | null {
    const reference = subject.kind === "field" ? subject.type : subject;
    if (isBytes(index, reference)) return both("Bytes");
    if (acceptsInteger(index, reference)) return decoder("decodeIntegerText");
    const resolved = index.resolve(reference);
    if (resolved.kind !== "scalar") return null;
    const { name } = resolved;
    const isFloat = name === "float32" || name === "float64";
    // One without a fraction is read as an integer.
    if (isFloat) return hasBigints ? decoder("decodeFloat") : null;
    return scalarConversion(name, index.isSafeInteger(subject), options);
  }

  function reference(type: TypeReference): Needs {
    const conversion = leaf(type);
    if (conversion !== null) return needsOf(conversion);
    const resolved = index.resolve(type);
    if (resolved.kind === "list") return reference(resolved.element);
    if (resolved.kind === "map") return reference(resolved.value);
    if (resolved.kind === "scalar")
      return { ...nothing, reads: openScalars.has(resolved.name) };
    return structs.get(resolved.name) ?? nothing;
  }

  function field(subject: Field): Needs {
    const conversion = leaf(subject);
    const own =
      conversion === null ? reference(subject.type) : needsOf(conversion);
    return {
      ...own,
      // A server may send null for what is absent.
      guards: own.guards || isAbsentAsNull(index, subject),
      reads: own.reads || subject.isNullable,
    };
  }

  function fields(list: readonly Field[]): Needs {
    return list.map(field).reduce(union, nothing);
  }

  function copies(type: TypeReference): boolean {
    const conversion = leaf(type);
    if (conversion !== null) return conversion.encode !== null;
    const resolved = index.resolve(type);
    if (resolved.kind === "list") return copies(resolved.element);
    if (resolved.kind === "map") return copies(resolved.value);
    if (resolved.kind === "scalar") return false;
    return index.type(resolved.name).kind === "struct";
  }

  propagate(contract, index, structs, fields);
  // Asked about every message by every emitter.
  const known = new WeakMap<readonly Field[], Needs>();
  const knownFields = (list: readonly Field[]): Needs => {
    const needs = known.get(list) ?? fields(list);
    known.set(list, needs);
    return needs;
  };
  return { leaf, reference, field, fields: knownFields, copies };
}

/** Carries needs from structs to those that hold them, until nothing changes. */
function propagate(
  contract: Contract,
  index: ContractIndex,
  structs: Map<string, Needs>,
  fields: (list: readonly Field[]) => Needs,
): void {
  const holders = holdersOf(contract, index);
  const byName = new Map(contract.types.map((type) => [type.name, type]));
  const waiting = new Set(contract.types);
  for (const type of waiting) {
    waiting.delete(type);
    if (type.kind !== "struct") continue;
    const before = structs.get(type.name) ?? nothing;
    const after = fields(type.fields);
    if (isSame(before, after)) continue;
    structs.set(type.name, after);
    for (const holder of holders.get(type.name) ?? []) {
      const declaration = byName.get(holder);
      if (declaration !== undefined) waiting.add(declaration);
    }
  }
}

/** Names of the structs that hold a struct, by the name of the held one. */
function holdersOf(
  contract: Contract,
  index: ContractIndex,
): ReadonlyMap<string, ReadonlySet<string>> {
  const holders = new Map<string, Set<string>>();
  const note = (holder: TypeDeclaration, type: TypeReference): void => {
    const resolved = index.resolve(type);
    if (resolved.kind === "list") note(holder, resolved.element);
    if (resolved.kind === "map") note(holder, resolved.value);
    if (resolved.kind !== "reference") return;
    const known = holders.get(resolved.name) ?? new Set<string>();
    holders.set(resolved.name, known.add(holder.name));
  };
  for (const type of contract.types) {
    if (type.kind !== "struct") continue;
    for (const field of type.fields) note(type, field.type);
  }
  return holders;
}

function scalarConversion(
  name: ScalarName,
  isSafe: boolean,
  options: EmitOptions,
): Conversion | null {
  switch (name) {
    case "bigint":
      return both("Bigint");
    case "timestamp":
      return options.timestamp === "date" ? both("Date") : null;
    case "int64":
    case "uint64":
      // A bigint is written as it is: as a JSON number.
      if (options.int64 === "bigint" && !isSafe) return decoder("decodeInt64");
      return { ...decoder("decodeSafeInt"), isGuard: true };
    case "int":
    case "uint":
      return { ...decoder("decodeSafeInt"), isGuard: true };
    default:
      return null;
  }
}

/** What may be anything: null is a value, and a file is no JSON. */
const openScalars: ReadonlySet<ScalarName> = new Set(["any", "null", "file"]);

function both(kind: "Bigint" | "Bytes" | "Date"): Conversion {
  return { decode: `decode${kind}`, encode: `encode${kind}`, isGuard: false };
}

function decoder(decode: string): Conversion {
  return { decode, encode: null, isGuard: false };
}

function needsOf({ decode, encode, isGuard }: Conversion): Needs {
  return {
    decodes: decode !== null && !isGuard,
    guards: decode !== null,
    reads: decode !== null,
    encodes: encode !== null,
  };
}

function union(left: Needs, right: Needs): Needs {
  return {
    decodes: left.decodes || right.decodes,
    guards: left.guards || right.guards,
    reads: left.reads || right.reads,
    encodes: left.encodes || right.encodes,
  };
}

function isSame(left: Needs, right: Needs): boolean {
  return (
    left.decodes === right.decodes &&
    left.guards === right.guards &&
    left.reads === right.reads &&
    left.encodes === right.encodes
  );
}
