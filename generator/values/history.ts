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
  /**
   * Place in the request, e.g. `books[].price`. `{}` is any key of a map.
   * Absent for changes of other parts.
   */
  readonly at?: string;
  /**
   * JSON name of the field that changed, if no other field in the request has
   * this name.
   */
  readonly key?: string;
  /**
   * What the server got if the change is the reason of a failure, e.g.
   * `nothing`. Absent if this cannot be told.
   */
  readonly got?: readonly string[];
}

/** An address that no longer exists. */
export interface GoneAddress {
  readonly verb: string;
  /** E.g. `/books/{isbn}`. */
  readonly path: string;
  readonly text: string;
  readonly since: string;
}
