/**
 * Who a change affects. `wire`: old clients of the new server. `wire-strict`:
 * new clients of an old server. `client-source` and `server-source`: code that
 * uses generated code.
 */
export const audiences = [
  "wire",
  "wire-strict",
  "client-source",
  "server-source",
] as const;

/** One of {@link audiences}. */
export type Audience = (typeof audiences)[number];

/**
 * `error`: it breaks them. `danger`: it may break them. `note`: they should
 * know.
 */
export type Level = "error" | "danger" | "note";

/** The effects of a change by audience. Missing audiences are not affected. */
export type Effects = Readonly<Partial<Record<Audience, Level>>>;

/** A change that breaks every audience. */
export const breaksEveryone: Effects = {
  wire: "error",
  "wire-strict": "error",
  "client-source": "error",
  "server-source": "error",
};

/** A change after which code that uses the name does not compile. */
export const breaksCode: Effects = {
  "client-source": "error",
  "server-source": "error",
};

/** A removal that breaks callers; new clients do not call it. */
export const breaksCallers: Effects = {
  wire: "error",
  ...breaksCode,
};

/**
 * A removal that breaks receivers: old receivers wait for it, and new ones
 * reject what an old host still sends.
 */
export const breaksReceivers: Effects = {
  ...breaksCallers,
  wire: "danger",
  "wire-strict": "error",
};

/** One of the two messages of a method. */
export type Side = "request" | "response";

/** A declaration, identified by its names in RIDL. */
export type Subject =
  | { readonly kind: "host"; readonly host: string }
  | ServiceSubject
  | MethodSubject
  /** An argument of a method that lists them. */
  | {
      readonly kind: "argument";
      readonly method: MethodSubject;
      readonly side: Side;
      readonly name: string;
    }
  /** A struct, an enum or an alias. */
  | { readonly kind: "type"; readonly name: string }
  /** A field of a struct, or a member of an enum. */
  | { readonly kind: "member"; readonly type: string; readonly name: string }
  | { readonly kind: "error"; readonly name: string };

/** A service. */
export interface ServiceSubject {
  readonly kind: "service";
  readonly host: string;
  readonly service: string;
}

/** A method. */
export interface MethodSubject {
  readonly kind: "method";
  readonly host: string;
  readonly service: string;
  readonly method: string;
}

/** A finding of a rule. */
export interface ChangeEffect {
  readonly effects: Effects;
  /** Lower case, no final period; self-contained. */
  readonly message: string;
  /** The old declaration; null if there was none. */
  readonly before: Subject | null;
  /**
   * The new declaration, or the parent of a removed one; null if both are gone.
   */
  readonly after: Subject | null;
  /** One way to it, e.g. ``the response of `Shop.GetBook`, `book.price` ``. */
  readonly path?: string;
  /** How to avoid the problem. */
  readonly help?: string;
}

/** A difference between two contracts that affects someone. */
export interface Change extends ChangeEffect {
  /** Code of the rule that found it; a key of the catalogue. */
  readonly code: string;
}
