import type {
  Contract,
  Credential,
  Enum,
  ErrorDeclaration,
  Field,
  Host,
  Method,
  Service,
  TypeDeclaration,
} from "../../ir/contract.js";
import type { MethodSubject, ServiceSubject, Subject } from "./change.js";
import type { Flow } from "./effects.js";
import type { CodeModes } from "./modes.js";
import type { Pair, Pairing } from "./pairing.js";
import type { WireValue } from "./value.js";

/** Two contracts side by side: what rules look at. */
export interface PairedContracts extends WirePairs {
  readonly before: Contract;
  readonly after: Contract;
  readonly modes: Pair<CodeModes>;
  readonly hosts: Pairing<Host>;
  /** Services of hosts that are in both, and those of hosts that are not. */
  readonly services: Pairing<PlacedService>;
  /** Methods of services that are in both. */
  readonly methods: Pairing<PlacedMethod>;
  readonly types: Pairing<TypeDeclaration>;
  readonly errors: Pairing<ErrorDeclaration>;
  readonly credentials: Pairing<Credential>;
}

/** What travels between clients and servers of both contracts. */
export interface WirePairs {
  /** Each JSON object once for each way that it travels. */
  readonly objects: readonly ObjectPair[];
  /** What stands in the same place. */
  readonly values: readonly WirePair<WireValue>[];
  readonly enums: readonly WirePair<Enum>[];
}

/** A service and where it is. */
export interface PlacedService {
  readonly service: Service;
  readonly subject: ServiceSubject;
}

/** A method and where it is. */
export interface PlacedMethod {
  readonly method: Method;
  readonly subject: MethodSubject;
}

/** A field or argument and where it is. */
export interface PlacedField {
  readonly field: Field;
  readonly subject: Subject;
}

/** Where on the wire something is met. */
export interface WirePlace {
  readonly flow: Flow;
  /** One way to it, e.g. ``the response of `Shop.GetBook`, `book.price` ``. */
  readonly path: string;
}

/** Two things in the same place of a message, and what declares them. */
export interface WirePair<Thing> extends Pair<Thing>, WirePlace {
  readonly subjects: Pair<Subject>;
}

/** An object with the same place in both contracts. */
export interface ObjectPair extends WirePlace {
  readonly subjects: Pair<Subject>;
  /** By name on the wire. */
  readonly fields: Pairing<PlacedField>;
  /** Whether its fields are segments of a path, which are never left out. */
  readonly isInPath: boolean;
  /** Fields that are called otherwise on the wire, and the same in RIDL. */
  readonly renamed: readonly Pair<PlacedField>[];
}
