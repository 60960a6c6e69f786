/**
 * Who meets a change: `wire`, clients of before that call the server of after;
 * `wire-strict`, clients of after that call the server of before;
 * `client-source` and `server-source`, code written against what is generated.
 */
export const audiences = [
  "wire",
  "wire-strict",
  "client-source",
  "server-source",
] as const;

/** One of {@link audiences}. */
export type Audience = (typeof audiences)[number];

/** `error`: it breaks them. `danger`: it may. `note`: they have to know. */
export type Level = "error" | "danger" | "note";

/** What a change does to whom; nothing to those left out. */
export type Effects = Readonly<Partial<Record<Audience, Level>>>;

/** What none of them gets past. */
export const breaksEveryone: Effects = {
  wire: "error",
  "wire-strict": "error",
  "client-source": "error",
  "server-source": "error",
};

/** Code that names it does not compile. */
export const breaksCode: Effects = {
  "client-source": "error",
  "server-source": "error",
};

/** What is gone, for those who call it: new clients do not. */
export const breaksCallers: Effects = {
  wire: "error",
  ...breaksCode,
};

/**
 * What is no longer sent, for those who receive it: old receivers wait for it,
 * and new ones refuse what an old host still sends.
 */
export const breaksReceivers: Effects = {
  ...breaksCallers,
  wire: "danger",
  "wire-strict": "error",
};

/** Which of the two messages of a method. */
export type Side = "request" | "response";

/** Something that a document declares, by its names in RIDL. */
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

/** What a rule has found. */
export interface ChangeEffect {
  readonly effects: Effects;
  /** Lower case, no final stop; stands alone. */
  readonly message: string;
  /** What was there; null when nothing was. */
  readonly before: Subject | null;
  /** What is there now, or what something is gone from; null when all is gone. */
  readonly after: Subject | null;
  /** One way to it, e.g. ``the response of `Shop.GetBook`, `book.price` ``. */
  readonly path?: string;
  /** The way out. */
  readonly help?: string;
}

/** One difference between two contracts that somebody may stumble over. */
export interface Change extends ChangeEffect {
  /** Of the rule that found it; a key of the catalogue. */
  readonly code: string;
}
