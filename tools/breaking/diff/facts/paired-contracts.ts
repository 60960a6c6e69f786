import type {
  Constraints,
  Contract,
  Credential,
  Enum,
  ErrorDeclaration,
  Field,
  Host,
  Method,
  Service,
  TypeDeclaration,
} from "../../../../generator/ir/contract.js";
import type { MethodSubject, ServiceSubject, Subject } from "./change.js";
import type { Flow } from "./effects.js";
import type { PairedAlternatives } from "./pair-alternatives.js";
import type { CodeModes, ValueSource, WireValue } from "./value.js";
import type { Pair, Pairing } from "./pairing.js";

/** Two paired contracts, which rules examine. */
export interface PairedContracts extends WirePairs {
  readonly before: Contract;
  readonly after: Contract;
  readonly modes: Pair<CodeModes>;
  readonly hosts: Pairing<Host>;
  /** Services of all hosts, paired if their host is in both contracts. */
  readonly services: Pairing<PlacedService>;
  /**
   * Methods of services that are in both contracts, and REST reads that moved
   * to or from another service.
   */
  readonly methods: Pairing<PlacedMethod>;
  readonly types: Pairing<TypeDeclaration>;
  readonly errors: Pairing<ErrorDeclaration>;
  readonly credentials: Pairing<Credential>;
}

/** The messages between clients and servers of both contracts. */
export interface WirePairs {
  /** Each JSON object, once for each direction. */
  readonly objects: readonly ObjectPair[];
  /** Values at the same position in both contracts. */
  readonly values: readonly WirePair<WireValue>[];
  readonly enums: readonly WirePair<Enum>[];
  /** Values that are a union in one of the contracts, or in both. */
  readonly unions: readonly UnionPair[];
}

/** An error and the name of the struct that is its data. */
export type DataError = Pick<ErrorDeclaration, "data" | "name">;

/** A service with its location. */
export interface PlacedService {
  readonly host: Host;
  readonly service: Service;
  readonly subject: ServiceSubject;
}

/** A method with its location. */
export interface PlacedMethod {
  readonly host: Host;
  readonly method: Method;
  readonly subject: MethodSubject;
}

/** A field or argument with its location. */
export interface PlacedField {
  readonly field: Field;
  readonly subject: Subject;
}

/** Where something occurs on the wire. */
export interface WirePlace {
  readonly flow: Flow;
  /**
   * A path that leads there, e.g. ``the response of `Shop.GetBook`, `book` ``.
   */
  readonly path: string;
  /**
   * Which part of the declaration is there, e.g. `each element of `. Empty if
   * it is the whole declaration.
   */
  readonly part: string;
}

/** Two things at the same position in a message, with their declarations. */
export interface WirePair<Thing> extends Pair<Thing>, WirePlace {
  readonly subjects: Pair<Subject>;
}

/** A union at the same position in both contracts. */
export interface UnionPair extends WirePair<WireValue>, PairedAlternatives {}

/** The members of an object that no field declares. */
export interface ExtraMembers {
  /** The field that collects them. */
  readonly subject: Subject;
  /** The limits of their number. */
  readonly limits: Constraints;
  /** Whether one of them can have this name. */
  readonly allowsName: (name: string) => boolean;
  /** The type of each. */
  readonly source: ValueSource;
}

/** The members of an object in one contract. */
export interface Members {
  readonly fields: readonly PlacedField[];
  /** The others, or null if readers ignore them. */
  readonly extra: ExtraMembers | null;
}

/** An object at the same position in both contracts. */
export interface ObjectPair extends WirePlace {
  readonly subjects: Pair<Subject>;
  /**
   * Fields, paired by name on the wire, or by position if they have no name
   * there.
   */
  readonly fields: Pairing<PlacedField>;
  /**
   * Whether the object's fields are path segments, which are always present.
   */
  readonly isInPath: boolean;
  /** Fields with a different name on the wire but the same name in RIDL. */
  readonly renamed: readonly Pair<PlacedField>[];
  /** The members of the object in both contracts. */
  readonly members: Pair<Members>;
}
