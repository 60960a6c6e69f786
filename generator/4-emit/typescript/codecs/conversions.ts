import { isBytes } from "../../../ir/bytes.js";
import type {
  Contract,
  Field,
  Host,
  ScalarName,
  TypeDeclaration,
  TypeReference,
} from "../../../ir/contract.js";
import { remember, rememberEach } from "../../../ir/remember.js";
import { createIndex, type ContractIndex } from "../../../ir/resolve.js";
import type { EmitOptions } from "../../emitter.js";
import { isAbsentAsNull } from "../validators/field-access.js";
import {
  acceptsInteger,
  exactSidesOf,
  type ExactSides,
} from "./exact-integers.js";

/** Functions of `runtime/codec`; null: nothing to do. */
export interface Conversion {
  /** For servers, which have validated before. */
  readonly decode: string | null;
  /** For clients: also what only refuses a value that the type cannot hold. */
  readonly read: string | null;
  readonly encode: string | null;
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
}

/**
 * Finds out what needs conversion. Structs may be recursive: what a struct
 * needs is carried from those that need it themselves to those that hold them.
 */
export function createConversions(
  contract: Contract,
  options: EmitOptions,
  host: Host | null,
): Conversions {
  return createVariants(contract, options)(host ?? contract);
}

/** Those of a host, or of what all hosts share. */
const createVariants = remember((contract: Contract, options: EmitOptions) => {
  const index = createIndex(contract);
  // Most hosts are alike in this.
  const made = new Map<string, Conversions>();
  return rememberEach((owner: Host | Contract) => {
    const hosts = owner.kind === "host" ? [owner] : owner.hosts;
    const exact = exactSidesOf(index, options, hosts);
    const key = JSON.stringify(exact);
    const conversions = made.get(key) ?? convert(contract, options, exact);
    made.set(key, conversions);
    return conversions;
  });
});

function convert(
  contract: Contract,
  options: EmitOptions,
  exact: ExactSides,
): Conversions {
  const index = createIndex(contract);
  const structs = new Map<string, Needs>();

  function leaf(subject: Field | TypeReference): Conversion | null {
    const reference = subject.kind === "field" ? subject.type : subject;
    if (isBytes(index, reference)) return both("Bytes");
    if (acceptsInteger(index, reference)) return decoded("decodeIntegerText");
    const resolved = index.resolve(reference);
    if (resolved.kind !== "scalar") return null;
    const { name } = resolved;
    if (name === "float32" || name === "float64") return floatConversion(exact);
    return scalarConversion(name, index.isSafeInteger(subject), options);
  }

  function reference(type: TypeReference): Needs {
    const conversion = leaf(type);
    return conversion === null ? heldBy(type) : needsOf(conversion);
  }

  /** Of a type that is no leaf. */
  function heldBy(type: TypeReference): Needs {
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
      conversion === null ? heldBy(subject.type) : needsOf(conversion);
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

  propagate(contract, index, structs, fields);
  // Asked about every message by every emitter.
  const known = new Map<readonly Field[], Needs>();
  const knownFields = (list: readonly Field[]): Needs => {
    const needs = known.get(list) ?? fields(list);
    known.set(list, needs);
    return needs;
  };
  return { leaf, reference, field, fields: knownFields };
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
      if (isSafe) return asItIs;
      // A bigint is written as it is: as a JSON number.
      if (options.int64 === "bigint") return decoded("decodeInt64");
      return { decode: null, read: "decodeSafeInt", encode: null };
    case "int":
    case "uint":
      return { decode: null, read: "decodeSafeInt", encode: null };
    default:
      return null;
  }
}

/**
 * Of an integer that limits keep within 2^53-1: JSON numbers hold it. What the
 * contract rules out is found by checks, of responses as of requests.
 */
const asItIs: Conversion = { decode: null, read: null, encode: null };

/** What may be anything: null is a value, and a file is no JSON. */
const openScalars: ReadonlySet<ScalarName> = new Set(["any", "null", "file"]);

/** Read without rounding, one without a fraction may be a `bigint`. */
function floatConversion(exact: ExactSides): Conversion {
  return {
    decode: exact.requests ? "decodeFloat" : null,
    read: exact.responses ? "decodeFloat" : null,
    encode: null,
  };
}

function both(kind: "Bigint" | "Bytes" | "Date"): Conversion {
  return { ...decoded(`decode${kind}`), encode: `encode${kind}` };
}

function decoded(name: string): Conversion {
  return { decode: name, read: name, encode: null };
}

function needsOf({ decode, read, encode }: Conversion): Needs {
  return {
    decodes: decode !== null,
    guards: read !== null,
    reads: read !== null,
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
