import type { Constraints } from "../../../../generator/ir/contract.js";

/** All audiences of changes. */
export const audiences = [
  "wire",
  "wire-strict",
  "client-source",
  "server-source",
] as const;

/**
 * The audience of a change. `wire`: old clients that call the new server.
 * `wire-strict`: new clients that call an old server. `client-source` and
 * `server-source`: code written against generated code.
 */
export type Audience = (typeof audiences)[number];

/**
 * The effect on an audience. `error`: the change breaks the audience. `danger`:
 * the change may break the audience. `note`: the audience should know about the
 * change.
 */
export type Level = "error" | "danger" | "note";

/**
 * The effects of a change by audience. An audience that the change does not
 * affect is absent.
 */
export type Effects = Readonly<Partial<Record<Audience, Level>>>;

/** Breaks every audience. */
export const breaksEveryone: Effects = {
  wire: "error",
  "wire-strict": "error",
  "client-source": "error",
  "server-source": "error",
};

/** Breaks the compilation of code that uses the name. */
export const breaksCode: Effects = {
  "client-source": "error",
  "server-source": "error",
};

/**
 * Breaks old clients that call something removed. New clients do not call it.
 */
export const breaksCallers: Effects = {
  wire: "error",
  ...breaksCode,
};

/**
 * Breaks receivers of something that is no longer sent: old receivers wait for
 * it, and new receivers reject it if an old host still sends it.
 */
export const breaksReceivers: Effects = {
  ...breaksCallers,
  wire: "danger",
  "wire-strict": "error",
};

/** One of the two messages of a method. */
export type Side = "request" | "response";

/** A declaration, by its names in RIDL. */
export type Subject =
  | { readonly kind: "host"; readonly host: string }
  | ServiceSubject
  | MethodSubject
  /** An argument of a method that lists its arguments. */
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

/** A difference that a rule found, and its effects. */
export interface ChangeEffect {
  /** The effects by audience. */
  readonly effects: Effects;
  /**
   * A message in lower case without a final period, which makes sense on its
   * own.
   */
  readonly message: string;
  /** The old declaration, or null if there was none. */
  readonly before: Subject | null;
  /**
   * The new declaration or, if a part was removed, the remaining declaration
   * that contained it. Null if there is neither.
   */
  readonly after: Subject | null;
  /**
   * A path that reaches the change, e.g. ``the response of `Shop.GetBook`,
   * `book.price` ``.
   */
  readonly path?: string;
  /** JSON name of the field that changed in the object at `path`, if one did. */
  readonly field?: string;
  /** The limit that became tighter, if one did. */
  readonly limit?: Constraints;
  /** Advice on how to avoid or fix the change. */
  readonly help?: string;
}

/**
 * A change that a rule found between two contracts, with the rule's code.
 */
export interface Change extends ChangeEffect {
  /** Code of the rule that found the change, e.g. `method-no-delete`. */
  readonly code: string;
}
