/** The contract of a host, and those of earlier versions. */
export interface ContractHistoryView {
  /** The header `Webrpc` of clients that were made from the current contract. */
  readonly header: string;
  /** E.g. `v1.4.0`. */
  readonly version: string;
  /** The earlier contracts, oldest first. */
  readonly past: readonly PastContractView[];
}

/** An earlier contract of a host. */
export interface PastContractView {
  readonly digest: string;
  /** E.g. `v1.3.0`. */
  readonly version: string;
  /** Methods that have changed since. */
  readonly methods: readonly PastMethodView[];
  /** Addresses that no longer exist. */
  readonly gone: readonly GoneAddressView[];
}

/** A method of an earlier contract that has changed since. */
export interface PastMethodView {
  /** Its service and its name, e.g. `Shop.GetBook`. */
  readonly name: string;
  readonly changes: readonly PastChangeView[];
}

/** A change that breaks clients of an earlier contract. */
export interface PastChangeView {
  /** The change, e.g. ``requests now require `Book.price` ``. */
  readonly text: string;
  /** The version that brought the change, e.g. `v1.4.0`. */
  readonly since: string;
  /** Whether the change breaks clients. Otherwise, it may break some. */
  readonly isCertain: boolean;
  /** Where clients notice the change. `call`: outside of the messages. */
  readonly side: "request" | "response" | "call";
  /** Where requests can fail because of it. */
  readonly places: readonly PastPlaceView[];
  /** The beginnings of the refusals that it causes, outside of messages. */
  readonly got: readonly string[];
}

/** A place in requests where a change has an effect. */
export interface PastPlaceView {
  /** E.g. `books[].price`. `{}` is any value of a map, and `{key}` any key. */
  readonly at: string;
  /**
   * What the server gets at the place because of the change, e.g. `nothing` if a
   * field became required. If there is none, any value may have this reason.
   */
  readonly got: readonly string[];
}

/** An address that no longer exists. */
export interface GoneAddressView {
  readonly verb: string;
  /** E.g. `/books/{isbn}`. */
  readonly path: string;
  readonly text: string;
  readonly since: string;
}
