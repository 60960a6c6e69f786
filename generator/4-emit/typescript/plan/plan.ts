import type {
  Alias,
  AllowedValue,
  Constraints,
  Contract,
  Credential,
  Enum,
  ErrorMember,
  Field,
  Host,
  Message,
  Method,
  ScalarName,
  Service,
  Struct,
  TypeReference,
  Union,
} from "../../../ir/contract.js";
import type { WireMethod } from "../../../http/wire-method.js";
import type { Paging } from "../../../values/paging.js";
import type { ResolvedEnum, ResolvedScalar } from "../../../values/value.js";
import type { ResolvedVariant } from "../../../values/variants.js";
import type { EmitOptions } from "../../emitter/emitter.js";
import type {
  CredentialNames,
  HostNames,
  MethodNames,
  Names,
  ServiceNames,
} from "../names/names.js";
import type { Conversion, ScalarForm } from "./scalars.js";

/** Everything that generated TypeScript depends on, decided once. */
export interface Plan {
  readonly contract: Contract;
  readonly options: EmitOptions;
  readonly names: Names;
  /**
   * The root, followed by the units of the hosts in the order of the contract.
   */
  readonly units: readonly UnitPlan[];
  /** The unit with the declarations that all hosts share. */
  readonly root: UnitPlan;
  /** All hosts, in the order of the contract. */
  readonly hosts: readonly HostPlan[];
  /** Declared types by their names in RIDL. */
  readonly types: ReadonlyMap<string, TypePlan>;
  /** Creates values for types and fields of the contract. */
  readonly values: Values;
  /** RIDL names of the types that messages contain. */
  readonly reached: ReadonlySet<string>;
  /** The structs and messages for which some host needs functions. */
  readonly needed: NeededObjects;
  /** All credentials, in the order of the contract. */
  readonly credentials: readonly CredentialPlan[];
}

/** Creates values for types and fields of a contract. */
export interface Values {
  valueOf(reference: TypeReference): Value;
  field(field: Field): FieldPlan;
}

/**
 * A group of output files: the root with shared declarations, or the folder of
 * a host. A single host has a unit that is both.
 */
export interface UnitPlan {
  /** Folder of the unit, e.g. `marketplace`, or "" for the root. */
  readonly folder: string;
  /** The host whose services are emitted here, or null for a shared root. */
  readonly host: HostPlan | null;
  /** Declared types that are emitted here, in the order of the contract. */
  readonly types: readonly TypePlan[];
  /** Messages that list arguments, which have no declared type. */
  readonly messages: readonly ObjectPlan[];
  /** Documents that the unit comes from, for the header of its files. */
  readonly documents: readonly string[];
  readonly needs: UnitNeeds;
}

/** A service host. */
export interface HostPlan {
  readonly host: Host;
  readonly names: HostNames;
  /** The unit that contains its services. */
  readonly unit: UnitPlan;
  readonly services: readonly ServicePlan[];
  /** Services that the host implements. */
  readonly inbound: readonly ServicePlan[];
  /** Services whose methods the host calls. */
  readonly outbound: readonly ServicePlan[];
  /** All services without the methods that only clients have. */
  readonly handled: readonly ServicePlan[];
  /** The inbound ones of these. */
  readonly served: readonly ServicePlan[];
  /** Credentials of the host's methods, in the order of the contract. */
  readonly credentials: readonly CredentialPlan[];
  /**
   * Key of the host's address in the options of the platform client, or "" if
   * the host has no inbound services.
   */
  readonly key: string;
  /** Names of the parameters of the base path, without duplicates. */
  readonly parameters: readonly string[];
  /** The messages that are read without rounding. */
  readonly exact: ExactSides;
  /** The errors of the host that carry data, in the order of the contract. */
  readonly errorData: readonly ErrorDataPlan[];
  /** The body of all other errors, or null if it is the envelope. */
  readonly errorBody: ErrorBodyPlan | null;
  /** RIDL names of the types that the host's messages contain. */
  readonly reached: ReadonlySet<string>;
  /** The structs and messages for which the host needs functions. */
  readonly needed: NeededObjects;
}

/** A service. */
export interface ServicePlan {
  readonly service: Service;
  readonly names: ServiceNames;
  readonly methods: readonly MethodPlan[];
}

/** An error that carries data. */
export interface ErrorDataPlan {
  /** Name of the error in RIDL. */
  readonly error: string;
  /** The struct that is the data. */
  readonly object: StructPlan;
  /** The members of the data that servers fill in. */
  readonly members: readonly ErrorMember[];
  /** Whether clients read the data without rounding. */
  readonly isExact: boolean;
}

/** A struct that is the body of errors. */
export interface ErrorBodyPlan extends Omit<ErrorDataPlan, "error"> {
  readonly mediaType: string;
}

/** A credential with its names. */
export interface CredentialPlan extends Credential {
  readonly names: CredentialNames;
}

/** A method. */
export interface MethodPlan {
  readonly method: Method;
  readonly names: MethodNames;
  /** Kind of method in the runtime: one response, a stream, or files. */
  readonly kind: "call" | "stream" | "transfer";
  /**
   * Path in a request line, e.g. `/rpc/API/GetOrders` or
   * `/tokens/{network}/{tokenIDs}`, or "" if the caller chooses the address.
   */
  readonly path: string;
  readonly wire: WireMethod;
  /** Credentials in the order in which they are checked. */
  readonly credentials: readonly CredentialPlan[];
  readonly request: MessagePlan;
  readonly response: MessagePlan;
  /**
   * How clients read the response: by removing every null, because null means
   * absent; with a shared reader in `codecs.ts`; or with a reader that is part
   * of the method because nothing else uses it. If null, clients use the
   * response unchanged.
   */
  readonly reader: "drop-nulls" | "shared" | "inline" | null;
  /**
   * The part that servers print field by field: the whole response, or the
   * fields that are the bodies of a REST method. `JSON.stringify` prints others.
   */
  readonly printed: "message" | readonly FieldPlan[];
  readonly exact: ExactMethod;
  /** The errors that the method can return and that carry data. */
  readonly errorData: readonly ErrorDataPlan[];
  /** How the method returns pages, or null if it does not. */
  readonly paging: PagingPlan | null;
}

/** How a method returns pages. */
export interface PagingPlan extends Paging<FieldPlan> {
  /** Constant that describes it to the client, e.g. `shopListOrdersPaging`. */
  readonly constant: string;
}

/**
 * Which parts of a call `JSON.parse` would round or `JSON.stringify` would
 * reject.
 */
export interface ExactMethod extends ExactSides {
  /** Whether a client writes 64-bit integers as `bigint`. */
  readonly writes: boolean;
}

/** A request or a response. */
export interface MessagePlan {
  readonly message: Message;
  /** The struct of the message, or its arguments. */
  readonly object: ObjectPlan;
  /** Whether servers decode it with a function of `codecs.ts`. */
  readonly decodes: boolean;
  /** Whether the sender encodes it with a function of `codecs.ts`. */
  readonly encodes: boolean;
  /** Whether JSON can lose a value in it: a date or any value. */
  readonly loses: boolean;
  /** Whether it contains an object that can be empty. */
  readonly canBeEmpty: boolean;
  /** Names of the fields that are files. */
  readonly files: readonly string[];
  /** Names of the fields that are lists of files. */
  readonly fileLists: readonly string[];
}

/** Which messages are read without rounding, with `bigint`. */
export interface ExactSides {
  /** Whether servers read some requests without rounding. */
  readonly requests: boolean;
  /** Whether clients read some responses without rounding. */
  readonly responses: boolean;
}

/** A declared type. */
export type TypePlan = StructPlan | EnumPlan | AliasPlan | UnionPlan;

/** The name of a declared type. */
export interface DeclaredName {
  /** The name in RIDL. */
  readonly schemaName: string;
  /** The name in TypeScript. */
  readonly name: string;
  /** The unit that declares it. */
  readonly unit: UnitPlan;
}

/** A struct, or the arguments of a message. */
export interface ObjectPlan {
  /** Name of the TypeScript type. */
  readonly name: string;
  /** The unit that declares it and its functions. */
  readonly unit: UnitPlan;
  readonly fields: readonly FieldPlan[];
}

/** What has functions of its own: a struct, a message or a union. */
export type Composite = ObjectPlan | UnionPlan;

/** The composites that get codecs or printers, or are received. */
export interface NeededObjects {
  /** The composites in requests, whose undeclared fields servers remove. */
  readonly request: ReadonlySet<Composite>;
  /** The composites that servers decode. */
  readonly decoder: ReadonlySet<Composite>;
  /** The composites that clients read. */
  readonly reader: ReadonlySet<Composite>;
  readonly encoder: ReadonlySet<Composite>;
  /** The composites that servers print. */
  readonly printer: ReadonlySet<Composite>;
}

/** A declared struct. */
export interface StructPlan extends ObjectPlan, DeclaredName {
  readonly kind: "struct";
  readonly struct: Struct;
}

/** A declared union. */
export interface UnionPlan extends DeclaredName {
  readonly kind: "union";
  readonly union: Union;
  readonly variants: readonly VariantPlan[];
}

/** A variant of a union, and how its values are told apart. */
export interface VariantPlan extends Omit<ResolvedVariant, "type" | "value"> {
  readonly value: Value;
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

/** A type, and the properties that a field or an alias adds to it. */
export interface LimitedValue {
  /** The value with all limits. */
  readonly value: Value;
  /** The type as written, without {@link own}. It can be an alias. */
  readonly type: Value;
  /** Limits on top of the type. */
  readonly own: Constraints;
}

/** A field of a struct, or an argument. */
export interface FieldPlan extends LimitedValue {
  readonly field: Field;
  /** Whether `null` in a message means that the field is absent. */
  readonly isAbsentAsNull: boolean;
  /**
   * The replacement for `null`, or null if `null` is invalid, is a value, or
   * means that the field is absent.
   */
  readonly nullAs: Empty | null;
  /** Whether every object inherits a property with this name. */
  readonly isInherited: boolean;
}

/**
 * A resolved type, without aliases and with all limits. It can be recursive.
 */
export type Value =
  | ScalarValue
  | BytesValue
  | EnumValue
  | StructValue
  | ListValue
  | MapValue
  | UnionValue;

/** The properties that all values have. */
interface ValueFacts {
  /** The declared type, or null if the type is written inline. */
  readonly declared: DeclaredName | null;
  /** Description of a value in a validation failure, e.g. `an address`. */
  readonly title: string;
  /**
   * All limits combined. If there are several patterns, this contains only the
   * outermost one.
   */
  readonly limits: Constraints;
  /** The same limits without merging them, the outermost first. */
  readonly layers: readonly Constraints[];
  /** The replacement for `null` in a required value, or null for none. */
  readonly nullAs: Empty | null;
  /** Whether the type allows null in addition to the value. */
  readonly isNullable: boolean;
}

/** The function of the runtime that creates the value that replaces `null`. */
export type Empty = "emptyList" | "emptyMap" | "emptyBytes";

/** The values that `+ enum` lists, as JSON, or null if there is no list. */
type ListedValues = readonly AllowedValue[] | null;

/** A value of a core type. */
export interface ScalarValue extends ValueFacts {
  readonly kind: "scalar";
  readonly name: ScalarName;
  readonly form: ScalarForm;
  readonly resolved: ResolvedScalar;
  readonly allowed: ListedValues;
}

/** A list of bytes, which is base64 text in JSON. */
export interface BytesValue extends ValueFacts {
  readonly kind: "bytes";
  /** The core type of a byte. */
  readonly name: ScalarName;
}

/** A value of an enum. */
export interface EnumValue extends ValueFacts {
  readonly kind: "enum";
  readonly type: EnumPlan;
  readonly resolved: ResolvedEnum;
  readonly allowed: ListedValues;
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

/** A value of one of several types. */
export interface UnionValue extends ValueFacts {
  readonly kind: "union";
  readonly type: UnionPlan;
}

/** How values of a type or field are processed. */
export interface Needs {
  /** Whether a server converts a value in it from JSON to TypeScript. */
  readonly decodes: boolean;
  /** Whether a client must convert or check a value in it. */
  readonly guards: boolean;
  /** Whether the client must know the fields. If not, it removes every null. */
  readonly reads: boolean;
  /** Whether a value in it is converted from TypeScript to JSON. */
  readonly encodes: boolean;
  /** Whether JSON can lose a value in it: a date or any value. */
  readonly loses: boolean;
  /**
   * Whether an object in it can be empty: a map, or a struct with fields, of
   * which none is required. JSON turns a `Map` or a promise into such an object.
   */
  readonly canBeEmpty: boolean;
  /**
   * Whether a Standard Schema accepts two forms of a value in it, or converts
   * such a value.
   */
  readonly hasTwoForms: boolean;
}

/** How the files of a unit process values. */
export interface UnitNeeds {
  of(value: Value): Needs;
  /** Returns the needs of all parts of a struct, message or union. */
  ofComposite(composite: Composite): Needs;
  /** Returns the functions for a value that is not a struct, list or map. */
  conversionOf(value: Value): Conversion;
}
