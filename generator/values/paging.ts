import type { ScalarName } from "../ir/contract.js";
import { isWideInteger, scalars } from "../ir/scalars.js";
import type { WireOptions } from "./wire-options.js";

/**
 * How a method returns pages: with a page number and `more` in the same struct
 * of both messages, with a token, e.g. `cursor` in the request and `nextCursor`,
 * `next_cursor` or `next-cursor` in the response, or with the `Link` header of
 * RFC 8288.
 */
export interface Paging<Field> {
  /** Whether pages have numbers that the client counts. */
  readonly isNumbered: boolean;
  /** What links to the next page contain. Null if there are no links. */
  readonly linked: LinkedPage | null;
  /** The struct in the request that contains the token, or null. */
  readonly holder: Field | null;
  /**
   * The field that identifies the requested page, in the request or its
   * `holder`.
   */
  readonly asked: Field;
  /**
   * The field of the response that indicates the next page: the struct that
   * contains `more`, the next page's token, or the links.
   */
  readonly answered: Field;
  /**
   * The only list of the response. Null if there are none or several, or if
   * every object inherits a property with its name.
   */
  readonly items: Field | null;
}

/** The part of a link that identifies a page. */
export interface LinkedPage {
  /** A parameter of the query. */
  readonly parameter: string;
  readonly isNumber: boolean;
}

/** The kinds of values that fields for paging can have. */
export type PagedKind =
  "text" | "number" | "boolean" | "struct" | "list" | "other";

/** The properties of a field that decide whether a method returns pages. */
export interface PagedField<Field> {
  readonly jsonName: string;
  readonly isOptional: boolean;
  readonly isNullable: boolean;
  readonly kind: PagedKind;
  /** The declaration of a struct. Fields of the same struct share it. */
  readonly struct: object | null;
  /** Returns the fields of a struct. */
  readonly fields: () => readonly Field[];
}

/** The settings that decide whether a value is a `string` or a `number`. */
export type PagingOptions = Pick<WireOptions, "int64" | "timestamp">;

/**
 * Returns the kind of a core type. If `isSafe` is true, limits keep its values
 * within ±(2^53-1).
 */
export function kindOfScalar(
  name: ScalarName,
  isSafe: boolean,
  { int64, timestamp }: PagingOptions,
): PagedKind {
  const { wire } = scalars[name];
  if (wire === "boolean") return "boolean";
  const isBigint = isWideInteger(name) && int64 === "bigint" && !isSafe;
  if (wire === "number") return isBigint ? "other" : "number";
  const isText =
    name === "string" || (name === "timestamp" && timestamp === "string");
  return isText ? "text" : "other";
}

/** Why a method does not return pages although its fields suggest it. */
export interface PagingProblem<Field> {
  readonly field: Field;
  /** What is wrong with the field, e.g. `is not optional`. */
  readonly problem: string;
  readonly help: string;
}

/** How a method returns pages, or why it does not. */
interface Candidate<Field> extends Omit<Paging<Field>, "items"> {
  readonly problem: PagingProblem<Field> | null;
}

/** The parts of an address that link to a next page. */
export interface PageLinks {
  /** Names of parameters of the query by the JSON names of their fields. */
  readonly query: ReadonlyMap<string, string>;
  /** JSON name of the field that is the `Link` header of a response. */
  readonly header: string;
}

/** The result of {@link findPaging}. At most one member is not null. */
export interface FoundPaging<Field> {
  readonly paging: Paging<Field> | null;
  /** The first problem if the method almost returns pages. */
  readonly problem: PagingProblem<Field> | null;
}

/**
 * Determines how a method returns pages. All targets and rules use this
 * function. Input: the fields of its request and its response, neither of which
 * is a stream, and its `Link` header, or null. If several fields match, the
 * first one is used.
 */
export function findPaging<Field extends PagedField<Field>>(
  request: readonly Field[],
  response: readonly Field[],
  links: PageLinks | null,
): FoundPaging<Field> {
  const answers = new Map(response.map((field) => [field.jsonName, field]));
  const candidates = [
    ...request.flatMap((field) => [
      ...numberedPages(field, answers),
      ...pagesWithTokens(field, answers, (name) => name),
    ]),
    ...(links === null ? [] : linkedPages(request, answers, links)),
    ...pagesInWords(request, response),
  ];
  const [list, ...others] = response.filter(({ kind }) => kind === "list");
  const isPlain = list !== undefined && !(list.jsonName in Object.prototype);
  const found = candidates.find(({ problem }) => problem === null);
  if (found === undefined) {
    const problem = candidates[0]?.problem ?? missingToken(request, response);
    // Without a list, similar names are probably a coincidence.
    return { paging: null, problem: list === undefined ? null : problem };
  }
  const { problem: _, ...rest } = found;
  const items = isPlain && others.length === 0 ? list : null;
  const paging = { ...rest, items };
  return { paging, problem: null };
}

function numberedPages<Field extends PagedField<Field>>(
  asked: Field,
  answers: ReadonlyMap<string, Field>,
): readonly Candidate<Field>[] {
  const answered = answers.get(asked.jsonName);
  if (answered === undefined || !hasMember(asked, "page")) return [];
  if (!hasMember(answered, "more")) return [];
  const problem =
    problemOfAsked(asked) ??
    (asked.struct === answered.struct
      ? (problemOfMember(asked, "page", "number") ??
        problemOfMember(asked, "more", "boolean"))
      : {
          field: answered,
          problem: `has another type than \`${asked.jsonName}\` in the request`,
          help: "use the same struct in the request and the response",
        });
  const form = { isNumbered: true, linked: null, holder: null };
  return [{ ...form, asked, answered, problem }];
}

function hasMember<Field extends PagedField<Field>>(
  field: Field,
  name: string,
): boolean {
  return field.fields().some(({ jsonName }) => jsonName === name);
}

function problemOfMember<Field extends PagedField<Field>>(
  holder: Field,
  name: string,
  kind: "number" | "boolean",
): PagingProblem<Field> | null {
  const field = holder.fields().find(({ jsonName }) => jsonName === name);
  if (field === undefined) return null;
  if (field.kind !== kind)
    return {
      field,
      problem: `is not a ${kind}`,
      help: `change its type to \`${kind === "number" ? "uint32" : "bool"}\``,
    };
  return field.isNullable ? nullable(field) : null;
}

/** Finds tokens whose names have the same words, e.g. with `-` between them. */
function pagesInWords<Field extends PagedField<Field>>(
  request: readonly Field[],
  response: readonly Field[],
): readonly Candidate<Field>[] {
  const next = response.filter(({ jsonName }) => /^next/i.test(jsonName));
  if (next.length === 0) return [];
  const answers = new Map(
    next
      .toReversed()
      .map((field) => [underscored(field.jsonName), field] as const),
  );
  return request.flatMap((field) =>
    pagesWithTokens(field, answers, underscored),
  );
}

/** Finds tokens in a field of the request. Input: the keys of `answers`. */
function pagesWithTokens<Field extends PagedField<Field>>(
  field: Field,
  answers: ReadonlyMap<string, Field>,
  keyOf: (name: string) => string,
): readonly Candidate<Field>[] {
  return [
    ...pagesWithToken(field, answers, keyOf, null),
    ...field
      .fields()
      .flatMap((asked) => pagesWithToken(asked, answers, keyOf, field)),
  ];
}

function pagesWithToken<Field extends PagedField<Field>>(
  asked: Field,
  answers: ReadonlyMap<string, Field>,
  keyOf: (name: string) => string,
  holder: Field | null,
): readonly Candidate<Field>[] {
  const name = keyOf(asked.jsonName);
  const names = [
    `next${name[0]?.toUpperCase()}${name.slice(1)}`,
    `next_${name}`,
    ...(/^(?:after|cursor)$/.test(name) ? ["next"] : []),
  ];
  const [answered] = names.flatMap((name) => answers.get(name) ?? []);
  if (answered === undefined) return [];
  const problem =
    (holder && problemOfHolder(holder)) ??
    problemOfAsked(asked) ??
    problemOfToken(asked, "because the request for the first page has none") ??
    // Null also means that there is no next page.
    (answered.isNullable && answered.kind === "text"
      ? null
      : problemOfToken(answered, "because the last page has none"));
  const form = { isNumbered: false, linked: null, holder };
  return [{ ...form, asked, answered, problem }];
}

/**
 * Parameters that identify a page, the likeliest first: where there is a cursor,
 * links do not contain the number of a page.
 */
const linkedNames = [
  "cursor",
  "after",
  "page_token",
  "pageToken",
  "page",
  "offset",
  "since",
];

function linkedPages<Field extends PagedField<Field>>(
  request: readonly Field[],
  answers: ReadonlyMap<string, Field>,
  { header, query }: PageLinks,
): readonly Candidate<Field>[] {
  const answered = answers.get(header);
  if (answered?.kind !== "text") return [];
  return linkedNames.flatMap((parameter) =>
    request
      .filter((field) => query.get(field.jsonName) === parameter)
      .filter(({ isOptional }) => isOptional)
      .filter(({ kind }) => kind === "text" || kind === "number")
      .filter((field) => problemOfAsked(field) === null)
      .map((asked) => {
        const linked = { parameter, isNumber: asked.kind === "number" };
        const form = { isNumbered: false, holder: null, problem: null };
        return { ...form, linked, asked, answered };
      }),
  );
}

/** Finds a token that only one of the messages has. */
function missingToken<Field extends PagedField<Field>>(
  request: readonly Field[],
  response: readonly Field[],
): PagingProblem<Field> | null {
  const asked = request
    .flatMap((field) => [field, ...field.fields()])
    .find(({ jsonName }) =>
      /^(?:cursor|page_token)$/.test(underscored(jsonName)),
    );
  const answered = response.find(({ jsonName }) =>
    /^next_(?:cursor|(?:page_)?token)$/.test(underscored(jsonName)),
  );
  if (asked !== undefined)
    return {
      field: asked,
      problem: "has no counterpart in the response",
      help: `add an optional string \`${nextOf(asked.jsonName)}\` to the response`,
    };
  if (answered === undefined) return null;
  const [, first = "", rest = ""] =
    /^next[-_]?(.)(.*)$/i.exec(answered.jsonName) ?? [];
  const name = first.toLowerCase() + rest.replaceAll("-", "_");
  return {
    field: answered,
    problem: "has no counterpart in the request",
    help: `add an optional string \`${name}\` to the request`,
  };
}

/** Returns the name of the next token: `nextCursor`, or `next_page_token`. */
function nextOf(name: string): string {
  return /[-_]/.test(name)
    ? `next_${underscored(name)}`
    : `next${name[0]?.toUpperCase()}${name.slice(1)}`;
}

/** Returns a name in lower case with `_` between its words. */
function underscored(name: string): string {
  return name.replace(/-|(?<=[a-z\d])(?=[A-Z])/g, "_").toLowerCase();
}

function problemOfHolder<Field extends PagedField<Field>>(
  holder: Field,
): PagingProblem<Field> | null {
  const isRequired = ({ isOptional }: Field): boolean => !isOptional;
  // The first request can omit the holder, but the next one cannot.
  return holder.isOptional && holder.fields().some(isRequired)
    ? {
        field: holder,
        problem: "is optional but has required fields",
        help: "make these fields optional, or make the struct required",
      }
    : problemOfAsked(holder);
}

/** Checks that code can copy a request with another value for a field. */
function problemOfAsked<Field extends PagedField<Field>>(
  field: Field,
): PagingProblem<Field> | null {
  if (field.isNullable) return nullable(field);
  const { jsonName } = field;
  return /^[A-Za-z][\w-]*$/.test(jsonName) && !(jsonName in Object.prototype)
    ? null
    : {
        field,
        problem: "has a name that code cannot use",
        help: "use only letters, digits, `-` and `_` in its JSON name, and no name that all objects have in JavaScript",
      };
}

function problemOfToken<Field extends PagedField<Field>>(
  field: Field,
  reason: string,
): PagingProblem<Field> | null {
  if (field.kind !== "text")
    return {
      field,
      problem: "is not a string",
      help: "change its type to `string`",
    };
  return field.isOptional
    ? null
    : {
        field,
        problem: "is not optional",
        help: `make it optional, ${reason}`,
      };
}

function nullable<Field>(field: Field): PagingProblem<Field> {
  return {
    field,
    problem: "can be null",
    help: "remove `+ nullable`, because an absent field means the first page",
  };
}
