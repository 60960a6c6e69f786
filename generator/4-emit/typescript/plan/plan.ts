import type {
  Alias,
  Constraints,
  Contract,
  Credential,
  Enum,
  Field,
  Host,
  Message,
  Method,
  ScalarName,
  Service,
  Struct,
  TypeReference,
} from "../../../ir/contract.js";
import type { EmitOptions } from "../../emitter/emitter.js";
import type {
  CredentialNames,
  HostNames,
  MethodNames,
  Names,
  ServiceNames,
} from "../names/names.js";
import type { Conversion, ScalarForm } from "./scalars.js";

/**
 * Everything that generated TypeScript depends on, decided once: emitters loop
 * over its records and ask the contract nothing.
 */
export interface Plan {
  readonly contract: Contract;
  readonly options: EmitOptions;
  readonly names: Names;
  /** The root first, then the hosts in their order. */
  readonly units: readonly UnitPlan[];
  /** The unit with what all hosts share. */
  readonly root: UnitPlan;
  /** In the order of the contract. */
  readonly hosts: readonly HostPlan[];
  /** Declared types by their names in RIDL. */
  readonly types: ReadonlyMap<string, TypePlan>;
  /** Makes values of parts of the contract. */
  readonly values: Values;
  /** Names in RIDL of the types that messages hold. */
  readonly reached: ReadonlySet<string>;
  /** The structs and messages for which some host needs functions. */
  readonly needed: NeededObjects;
  /** In the order of the contract. */
  readonly credentials: readonly CredentialPlan[];
}

/** What a type or field of a contract is. */
export interface Values {
  valueOf(reference: TypeReference): Value;
  field(field: Field): FieldPlan;
}

/**
 * A group of output files: the root, with what is shared, or the folder of a
 * host, with what its own document declares. A contract with one host has one
 * unit only, which is both.
 */
export interface UnitPlan {
  /** "" for the root, else e.g. `marketplace`. */
  readonly folder: string;
  /** The host whose services are emitted here; null for a shared root. */
  readonly host: HostPlan | null;
  /** Declared types that are emitted here, in the order of the contract. */
  readonly types: readonly TypePlan[];
  /** Messages that list arguments, which have no declared type. */
  readonly messages: readonly ObjectPlan[];
  /** Documents that it comes from, for the first line of its files. */
  readonly documents: readonly string[];
  readonly needs: UnitNeeds;
}

/** A service host. */
export interface HostPlan {
  readonly host: Host;
  readonly names: HostNames;
  /** Where its services are emitted. */
  readonly unit: UnitPlan;
  readonly services: readonly ServicePlan[];
  /** Services that it answers. */
  readonly inbound: readonly ServicePlan[];
  /** Services whose methods it calls. */
  readonly outbound: readonly ServicePlan[];
  /** Of all its methods, in the order of the contract. */
  readonly credentials: readonly CredentialPlan[];
  /**
   * Key of its address in the options of the client of all hosts; "" where it
   * answers nothing.
   */
  readonly key: string;
  /** Names of the parameters of its base path, each once. */
  readonly parameters: readonly string[];
  /** What it reads without rounding. */
  readonly exact: ExactSides;
  /** Names in RIDL of the types that its messages hold. */
  readonly reached: ReadonlySet<string>;
  /** The structs and messages for which it needs functions. */
  readonly needed: NeededObjects;
}

/** A service. */
export interface ServicePlan {
  readonly service: Service;
  readonly names: ServiceNames;
  readonly methods: readonly MethodPlan[];
}

/** A credential with its names. */
export interface CredentialPlan extends Credential {
  readonly names: CredentialNames;
}

/** A method. */
export interface MethodPlan {
  readonly method: Method;
  readonly names: MethodNames;
  /** What the runtime has a method for: one answer, many, or files. */
  readonly kind: "call" | "stream" | "transfer";
  /**
   * Path as it stands in a request line, e.g. `/rpc/API/GetOrders` or
   * `/tokens/{network}/{tokenIDs}`; "" when the caller says where to.
   */
  readonly path: string;
  /** Fields in the path of a REST read whose text has to be taken apart. */
  readonly inPath: PathFields;
  /** In the order in which they are checked. */
  readonly credentials: readonly CredentialPlan[];
  readonly request: MessagePlan;
  readonly response: MessagePlan;
  /**
   * How clients read what comes back: they take away every null, which means
   * that something is absent, or use a reader of `codecs.ts`, or one that stands
   * where the method is, since only that needs it. Null: as it is.
   */
  readonly reader: "drop-nulls" | "shared" | "inline" | null;
  /**
   * What servers print of a response field by field: all of it, or the one that
   * is the body of a REST read. Null: JSON's own function prints it.
   */
  readonly printed: "message" | FieldPlan | null;
  readonly exact: ExactMethod;
}

/** Which halves of a call the functions of `JSON` are not exact enough for. */
export interface ExactMethod extends ExactSides {
  /** Whether a client writes 64-bit integers as `bigint`. */
  readonly writes: boolean;
}

/** Fields by their names on the wire. */
export interface PathFields {
  /** Those that are lists: their elements stand between commas. */
  readonly lists: readonly string[];
  /** Those whose value (or element) is a number or a boolean. */
  readonly json: readonly string[];
}

/** A request or a response. */
export interface MessagePlan {
  readonly message: Message;
  /** The struct that it is, or its arguments. */
  readonly object: ObjectPlan;
  /** Whether servers decode it by a function of `codecs.ts`. */
  readonly decodes: boolean;
  /** Whether who sends it encodes it by a function of `codecs.ts`. */
  readonly encodes: boolean;
  /** Names of the fields that are files. */
  readonly files: readonly string[];
  /** Names of the fields that are lists of files. */
  readonly fileLists: readonly string[];
}

/** Which messages are read without rounding; large integers are `bigint`. */
export interface ExactSides {
  /** Some requests, by servers. */
  readonly requests: boolean;
  /** Some responses, by clients. */
  readonly responses: boolean;
}

/** A declared type. */
export type TypePlan = StructPlan | EnumPlan | AliasPlan;

/** The name of a declared type. */
export interface DeclaredName {
  /** In RIDL. */
  readonly schemaName: string;
  /** In TypeScript. */
  readonly name: string;
  /** Where it is emitted. */
  readonly unit: UnitPlan;
}

/** A struct, or the arguments of a message. */
export interface ObjectPlan {
  /** Its TypeScript type. */
  readonly name: string;
  /** Where it is emitted, and the functions that go with it. */
  readonly unit: UnitPlan;
  readonly fields: readonly FieldPlan[];
}

/** The structs and messages that get functions in `codecs.ts` and `printers.ts`. */
export interface NeededObjects {
  /** For servers. */
  readonly decoder: ReadonlySet<ObjectPlan>;
  /** For clients. */
  readonly reader: ReadonlySet<ObjectPlan>;
  readonly encoder: ReadonlySet<ObjectPlan>;
  /** For servers. */
  readonly printer: ReadonlySet<ObjectPlan>;
}

/** A declared struct. */
export interface StructPlan extends ObjectPlan, DeclaredName {
  readonly kind: "struct";
  readonly struct: Struct;
}

/** A declared enum. */
export interface EnumPlan extends DeclaredName {
  readonly kind: "enum";
  readonly declaration: Enum;
}

/** A declared alias. */
export interface AliasPlan extends DeclaredName, LimitedValue {
  readonly kind: "alias";
  readonly alias: Alias;
}

/** A type, and what a field or an alias says on top of it. */
export interface LimitedValue {
  /** The value with all that limits it. */
  readonly value: Value;
  /** The type as it is written, without {@link own}; an alias, perhaps. */
  readonly type: Value;
  /** Limits on top of the type. */
  readonly own: Constraints;
}

/** A field of a struct, or an argument. */
export interface FieldPlan extends LimitedValue {
  readonly field: Field;
  /** Whether `null` in a message means that the field is absent. */
  readonly isAbsentAsNull: boolean;
  /** What `null` in a message is read as; null if it is refused or a value. */
  readonly nullAs: Empty | null;
  /** Whether every object has a property of that name from its prototype. */
  readonly isInherited: boolean;
}

/**
 * A type in its place: aliases looked through, with all that limits it. Types
 * may hold one another, so the records do, too.
 */
export type Value =
  ScalarValue | BytesValue | EnumValue | StructValue | ListValue | MapValue;

/** What every value has. */
interface ValueFacts {
  /** The declared type that it is by name; null for one that is written out. */
  readonly declared: DeclaredName | null;
  /** What a value is called in a failure, e.g. `an address`. */
  readonly title: string;
  /** Whether the schema gives the title; limits on top of it are said after it. */
  readonly hasGivenTitle: boolean;
  /** Everything that limits it, put together; of several patterns the nearest. */
  readonly limits: Constraints;
  /** What `null` is read as where a value is required; null if it is refused. */
  readonly nullAs: Empty | null;
}

/** The function of the runtime that makes what `null` is read as. */
export type Empty = "emptyList" | "emptyMap" | "emptyBytes";

/** A value of a core type. */
export interface ScalarValue extends ValueFacts {
  readonly kind: "scalar";
  readonly name: ScalarName;
  readonly form: ScalarForm;
  /** Whether limits keep a 64-bit integer within 2^53-1. */
  readonly isSafe: boolean;
  /** Text for which a JSON integer is accepted: `+ accept = integer`. */
  readonly acceptsInteger: boolean;
}

/** A list of bytes, which travels as base64. */
export interface BytesValue extends ValueFacts {
  readonly kind: "bytes";
  /** The core type of a byte. */
  readonly name: ScalarName;
}

/** One of the values of an enum. */
export interface EnumValue extends ValueFacts {
  readonly kind: "enum";
  readonly type: EnumPlan;
}

/** An object. */
export interface StructValue extends ValueFacts {
  readonly kind: "struct";
  readonly type: StructPlan;
}

/** An array. */
export interface ListValue extends ValueFacts {
  readonly kind: "list";
  readonly held: Value;
}

/** An object with any keys. */
export interface MapValue extends ValueFacts {
  readonly kind: "map";
  readonly key: Value;
  readonly held: Value;
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
  /** A schema accepts something in it in two forms, or turns it into another type. */
  readonly hasTwoForms: boolean;
}

/** What is done to values in the files of a unit. */
export interface UnitNeeds {
  of(value: Value): Needs;
  /** What all fields of a struct or message need. */
  ofObject(object: ObjectPlan): Needs;
  /** The functions around a value that is no struct, list or map. */
  conversionOf(value: Value): Conversion;
}
