/**
 * The contracts that a project has released, and what has changed since. `ridl
 * breaking --record` writes it as JSON.
 */
export interface History {
  /** By the names of hosts. */
  readonly hosts: Readonly<Record<string, HostHistory>>;
}

/** The released contracts of a host, compared with the current one. */
export interface HostHistory {
  /** Digest of the current contract. */
  readonly digest: string;
  /** Version of the current contract, e.g. `v1.4.0`. */
  readonly version: string;
  /** Released contracts that differ from the current one, oldest first. */
  readonly past: readonly PastContract[];
  /**
   * Changes that only a setting caused, such as `int64`, by method. Clients from
   * before and after have the same contract. Absent if there are none.
   */
  readonly settings?: Readonly<Record<string, readonly PastChange[]>>;
}

/** A released contract of a host. */
export interface PastContract {
  readonly digest: string;
  readonly version: string;
  /** Changes that break its clients, by method, e.g. `Shop.GetBook`. */
  readonly methods: Readonly<Record<string, readonly PastChange[]>>;
  /** Addresses that its clients call and that no longer exist. */
  readonly gone: readonly GoneAddress[];
}

/** A change that breaks clients of a released contract. */
export interface PastChange {
  /** The change, e.g. ``requests now require `Book.price` ``. */
  readonly text: string;
  /** The version that brought the change, e.g. `v1.4.0`. */
  readonly since: string;
  /** Whether the change breaks clients. Otherwise, it may break some. */
  readonly isCertain: boolean;
  /** Where clients notice the change. `call`: outside of the messages. */
  readonly side: "request" | "response" | "call";
  /** Where requests can fail because of it. Absent for other changes. */
  readonly places?: readonly PastPlace[];
  /**
   * The beginnings of the refusals that the change causes, e.g. `content-type:
   * expected`. Only changes outside of the messages have them.
   */
  readonly got?: readonly string[];
  /** What old clients send and the server now reads as part of a credential. */
  readonly sent?: SentScheme;
}

/** A header that begins with a scheme. */
export type SentScheme = {
  readonly header: string;
  /** E.g. `Bearer`. Case has no meaning. */
  readonly scheme: string;
};

/** A place in requests where a change has an effect. */
export type PastPlace = {
  /** E.g. `books[].price`. `{}` is any value of a map, and `{key}` any key. */
  readonly at: string;
  /** What the earlier contract allowed there. */
  readonly was: OldType;
  /** The part of the current rule that the change added. Default: any. */
  readonly now?: OldType;
  /** The only value that the change affects, if it removed one. */
  readonly only?: string;
  /** Whether the change is that there must be a value. */
  readonly isRequired?: true;
  /** The keys that the earlier contract allowed, if it is a value of a map. */
  readonly key?: OldType;
  /** Names that `{}` is not, if it is any of the extra members of an object. */
  readonly except?: readonly string[];
};

/**
 * The values that a contract allowed at one place. `unknown` leaves open which:
 * it replaces what is nested too deeply.
 */
export type OldType = {
  readonly type:
    | "any"
    | "boolean"
    | "integer"
    | "list"
    | "null"
    | "number"
    | "object"
    | "string"
    | "union"
    | "unknown";
  /** Whether the value is a string in an address or a form, also a number. */
  readonly isText?: true;
  readonly mayBeAbsent?: true;
  readonly mayBeNull?: true;
  /** Whether an integer is also allowed where a string is. */
  readonly mayBeInteger?: true;
  /** The only values that are allowed. */
  readonly enum?: readonly (boolean | number | string)[];
  /** Large integers are decimal strings. So are limits of texts of integers. */
  readonly minimum?: number | string;
  readonly maximum?: number | string;
  /** Numbers of characters, items or members. */
  readonly min?: number;
  readonly max?: number;
  readonly isUnique?: true;
  readonly patterns?: readonly string[];
  readonly format?: "base64" | "date-time" | "uri";
  /** The items of a list, or the values of a map. */
  readonly items?: OldType;
  readonly keys?: OldType;
  /** Fields by JSON name. */
  readonly fields?: Readonly<Record<string, OldType>>;
  /** The map of all other members. Default: they are ignored. */
  readonly rest?: OldType;
  readonly variants?: readonly OldType[];
  /** The names of which exactly one must be present. */
  readonly choice?: readonly string[];
  /** The tag of an open union. Objects with other texts there are allowed. */
  readonly openTag?: string;
};

/** An address that no longer exists. */
export interface GoneAddress {
  readonly verb: string;
  /** E.g. `/books/{isbn}`. */
  readonly path: string;
  /** The methods that now receive the calls, e.g. `Shop.Buy`. */
  readonly takers?: readonly string[];
  readonly text: string;
  readonly since: string;
}
