/** What a template set names. */
export const roles = [
  "package",
  "host",
  "service",
  "pages",
  "method",
  "type",
  "message",
  "field",
  "member",
  "error",
  "credential",
  "parameter",
] as const;

/** A kind of named thing in a contract. */
export type Role = (typeof roles)[number];

/**
 * Ways to write a name. `keep` leaves it as it is in RIDL, and `flat` is lower
 * case without separators.
 */
export const cases = [
  "keep",
  "snake",
  "upper",
  "flat",
  "camel",
  "pascal",
] as const;

/** How a template set names things. It is `names.json` in the set's folder. */
export interface NameRules {
  /** Lists of words that names must not be, e.g. the keywords of a language. */
  readonly words: Readonly<Record<string, readonly string[]>>;
  /** Words that `camel` and `pascal` write in capital letters, e.g. `ID`. */
  readonly initialisms: readonly string[];
  /** What names begin with that would begin with a digit. */
  readonly start: string;
  readonly roles: Readonly<Record<Role, RoleRules>>;
  readonly strings: StringRules;
}

/** How the language of a template set writes strings. */
export interface StringRules {
  /** What begins and ends a string. */
  readonly quote: string;
  /** What stands for characters, e.g. `\\n` for a line feed. */
  readonly escapes: Readonly<Record<string, string>>;
  /** What stands for invisible characters, with `{}` for hexadecimal digits. */
  readonly unicode: string;
  /**
   * The number of digits: 4 for each code unit of UTF-16, 8 for a code point, or
   * 0 for as many as a code point needs.
   */
  readonly digits: 0 | 4 | 8;
}

/** How a template set names one kind of thing. */
export interface RoleRules {
  readonly case: (typeof cases)[number];
  /**
   * Names of roles with the same scope are unique together. If it is null, a
   * name is unique within its owner, e.g. its struct.
   */
  readonly scope: string | null;
  /**
   * What templates declare in the scope for each name, with `{}` in place of
   * the name, e.g. `New{}Client`, or `{Pascal}` in place of its Pascal case.
   */
  readonly declares: readonly string[];
  /** Text before the name. */
  readonly prefix: string;
  /** Text after the name. */
  readonly suffix: string;
  /** Whether the name of the owner, e.g. the enum, comes first. */
  readonly isQualified: boolean;
  /** Lists of `words` that the names must not be. */
  readonly reserved: readonly string[];
}

const keep: RoleRules = {
  case: "keep",
  scope: null,
  declares: ["{}"],
  prefix: "",
  suffix: "",
  isQualified: false,
  reserved: [],
};

/** The escapes of most languages, besides that of the quote. */
export const commonEscapes: StringRules["escapes"] = {
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/**
 * The rules of sets without `names.json`: names are as in RIDL, and strings as in
 * JSON.
 */
export const defaultNameRules: NameRules = {
  words: {},
  initialisms: [],
  start: "_",
  roles: {
    package: { ...keep, case: "snake" },
    host: keep,
    service: keep,
    pages: keep,
    method: keep,
    type: keep,
    message: keep,
    field: keep,
    member: keep,
    error: keep,
    credential: keep,
    parameter: keep,
  },
  strings: {
    quote: '"',
    escapes: { ...commonEscapes, '"': '\\"' },
    unicode: "\\u{}",
    digits: 4,
  },
};
