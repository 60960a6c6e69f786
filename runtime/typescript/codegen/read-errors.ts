import type { Read } from "./codec.js";
import type { ClientInterceptor } from "../client/call.js";
import {
  fieldsIn,
  type HeaderField,
  type ReadError,
} from "../client/client-method.js";
import { BareError, fromEnvelope } from "../wire/bare-error.js";
import { type ErrorMember, readMember } from "../wire/error-member.js";
import { builtInErrors } from "../wire/errors.js";
import { parseJson } from "../wire/json.js";
import { memberOf } from "../values/member.js";
import { isRecord, isSafeInt } from "../values/predicates.js";
import { type Check, type Failure, validate } from "../values/validation.js";

/** How to read the data of an error. */
export interface DataReader {
  readonly check: Check;
  /** Converts valid data to its TypeScript form. Default: it is the same. */
  readonly read?: Read;
  /**
   * Fields in headers of the response, by the lowercase names of the headers.
   * Only methods that use `errorHeaders` read them. Default: none.
   */
  readonly headers?: Readonly<Record<string, HeaderField>>;
}

type FieldsIn = Parameters<ReadError>[4];

/** An interceptor for methods whose errors have data in headers. */
export const errorHeaders: ClientInterceptor = (next) => (call) => {
  const read: ReadError = call.method.error ?? fromEnvelope;
  const error: ReadError = (json, status, text, headers) =>
    read(json, status, text, headers, (fields) =>
      Object.fromEntries(
        Object.entries(fields).flatMap(([name, field]) => {
          if (headers === undefined) return [];
          try {
            return Object.entries(fieldsIn(headers, { [name]: field }));
          } catch {
            // Validation rejects the text.
            return [[field[0], headers.get(name)]];
          }
        }),
      ),
    );
  return next({ ...call, method: { ...call.method, error } });
};

/** Reads an envelope without data, whose integers are exact. */
export const readEnvelope: ReadError = (json, status) => {
  // No code is larger than a number.
  const isHuge = typeof memberOf(json, "code") === "bigint";
  return fromEnvelope(isHuge ? { ...Object(json), code: 0 } : json, status);
};

/**
 * Returns a function that reads an envelope with its data. Data of other errors
 * and invalid data are ignored.
 *
 * Input: readers by the names of the errors.
 */
export function readErrors(
  readers: Readonly<Record<string, DataReader>>,
): ReadError {
  return (json, status, _text, _headers, fieldsIn) => {
    const error = readEnvelope(json, status);
    if (error === undefined || !Object.hasOwn(readers, error.name))
      return error;
    const reader = readers[error.name];
    const data = memberOf(json, "data");
    const value = reader && readData(reader, data, fieldsIn);
    return keep(error, value, json);
  };
}

/** Adds data and the whole body to an error. Neither is in logs. */
function keep(error: BareError, data: unknown, body: unknown): BareError {
  // They are not enumerable.
  return Object.defineProperties(error, {
    data: { value: data, configurable: true },
    body: { get: () => body },
  });
}

function readData(
  { check, headers, read }: DataReader,
  sent: unknown,
  fieldsIn: FieldsIn,
): unknown {
  if (sent == null) return undefined;
  const data =
    headers && fieldsIn && isRecord(sent)
      ? { ...sent, ...fieldsIn(headers) }
      : sent;
  // A report is limited, so there can be more failures after these. The rounds
  // are limited as well, because each one validates all data.
  for (let round = 0; round < maxRounds; round += 1) {
    const failures = validate(check, data, { dropsNulls: true });
    if (failures.length === 0) return read === undefined ? data : read(data);
    if (!failures.every((failure) => quoteInteger(data, failure)))
      return undefined;
  }
  return undefined;
}

/** Enough for 1,000 integers. */
const maxRounds = 51;

/**
 * Replaces an integer where the contract has a string that represents one, as
 * in results. Returns false for any other failure.
 */
function quoteInteger(data: unknown, { expected, path }: Failure): boolean {
  const key = path.at(-1) ?? "";
  const holder = Object(path.slice(0, -1).reduce(memberAt, data));
  const value = memberAt(holder, key);
  return (
    expected.startsWith("a string that represents an integer") &&
    (typeof value === "bigint" || Number.isSafeInteger(value)) &&
    Reflect.set(holder, key, `${value}`)
  );
}

function memberAt(holder: unknown, key: number | string): unknown {
  return memberOf(holder, String(key));
}

/**
 * Does the same as `readErrors`, without rounding the integers of the data.
 */
export function readErrorsExactly(
  readers: Readonly<Record<string, DataReader>>,
): ReadError {
  return exactly(readErrors(readers));
}

function exactly(read: ReadError): ReadError {
  return (json, status, text, headers, fieldsIn) =>
    read(
      text === undefined || json === undefined ? json : parseJson(text),
      status,
      text,
      headers,
      fieldsIn,
    );
}

/** How to read the body of errors that is not webrpc's envelope. */
export interface BodyReader extends DataReader {
  /** The members that are parts of an error. Default: none. */
  readonly members?: readonly ErrorMember[];
}

/**
 * An error of a method, with its body if it is not that of other errors. The
 * status 0 stands for every status that no other row has, if the body fits.
 */
export type BodyRow = readonly [
  code: number,
  status: number,
  body?: BodyReader,
];

/**
 * Returns a function that reads errors whose body is a struct of the contract.
 *
 * The error is the one that the body names, or else the only one of the method
 * with the status of the response, or else the only one with any status whose
 * data is the body. Any other object is `WebrpcEndpoint`, with the status and the
 * message of the response. Other bodies are only errors if the status tells
 * which. The body is the error's `body`, and its data unless it is invalid. The last
 * line of a stream is an envelope with the body as its data.
 *
 * Input: the body of most errors, the errors of the method by name, and whether
 * messages of the method can contain secrets. If not, the text in the body is the
 * message of an error that has none.
 */
export function readErrorBodies(
  body: BodyReader,
  errors: Readonly<Record<string, BodyRow>> = {},
  hasSecrets = false,
): ReadError {
  const rowOf = (name: string): BodyRow | undefined =>
    Object.hasOwn(errors, name) ? errors[name] : builtInRow(name);
  return (json, status, text, _, fieldsIn) => {
    const isObject = isRecord(json);
    const sent = json === undefined ? text : json;
    const envelope = text === undefined ? readEnvelope(json, status) : null;
    if (envelope === undefined) return undefined;
    const name =
      envelope?.name ?? findName(json, status, body, errors, rowOf, fieldsIn);
    if (!isObject && name === undefined) return undefined;
    const [code, , reader = body] = rowOf(name ?? "") ?? [];
    const partOf = (role: ErrorMember["role"]): unknown => {
      const member = reader.members?.find((each) => each.role === role);
      return member && readMember(json, member);
    };
    const message = partOf("message");
    const cause = partOf("cause");
    const error =
      envelope ??
      new BareError(
        {
          name: name ?? "WebrpcEndpoint",
          status,
          code: code ?? codeIn(partOf("code")) ?? 0,
          msg:
            typeof message === "string"
              ? message
              : (((hasSecrets ? "" : textIn(sent)) || name) ?? `${status}`),
        },
        typeof cause === "string" ? { cause } : {},
      );
    const data = envelope === null ? json : memberOf(json, "data");
    return keep(error, readData(reader, data, fieldsIn), sent);
  };
}

/** Does the same as `readErrorBodies`, without rounding integers. */
export function readErrorBodiesExactly(
  body: BodyReader,
  errors: Readonly<Record<string, BodyRow>> = {},
  hasSecrets = false,
): ReadError {
  return exactly(readErrorBodies(body, errors, hasSecrets));
}

/** Members of a body that usually contain a text for people, best first. */
const usualTexts = ["message", "detail", "msg", "error", "errors", "title"];

/** Longer texts are cut. */
const maxText = 500;

/** Returns the text for people in the body of an error, or an empty text. */
function textIn(value: unknown, depth = 3): string {
  if (typeof value === "string") {
    const text = value.trim();
    // A page is not a message.
    return text.startsWith("<") ? "" : text.slice(0, maxText);
  }
  if (depth === 0) return "";
  const texts = Array.isArray(value)
    ? value.slice(0, 9).map((item) => textIn(item, depth - 1))
    : usualTexts.map((name) => textIn(memberOf(value, name), depth - 1));
  const known = texts.filter((text) => text !== "");
  return (Array.isArray(value) ? known.join("; ") : (known[0] ?? "")).slice(
    0,
    maxText,
  );
}

/** Returns the code in a body, which can be text, or undefined. */
function codeIn(value: unknown): number | undefined {
  const isText = typeof value === "string";
  const code = isText ? Number(value) : value;
  const isCode = isSafeInt(code) && (!isText || `${code}` === value);
  return isCode ? code : undefined;
}

function builtInRow(name: string): BodyRow | undefined {
  const built = Object.entries(builtInErrors).find(([key]) => key === name);
  return built && [built[1].code, built[1].status];
}

/** Returns the name of the error in a body, or undefined if it is unknown. */
function findName(
  json: unknown,
  status: number,
  body: BodyReader,
  errors: Readonly<Record<string, BodyRow>>,
  rowOf: (name: string) => BodyRow | undefined,
  fieldsIn: FieldsIn,
): string | undefined {
  const rows = Object.entries(errors);
  const named = namedIn(
    json,
    body,
    Object.keys({ ...builtInErrors, ...errors }),
    rowOf,
  );
  if (named !== undefined) return named;
  const own = rows.find(
    ([name, [, , reader]]) =>
      reader && namedIn(json, reader, [name], rowOf) !== undefined,
  );
  if (own !== undefined) return own[0];
  const known = rows.filter(([, row]) => row[1] === status);
  const [first, ...others] =
    known.length > 0
      ? known
      : rows.filter(
          ([, [, wanted, reader]]) =>
            wanted === 0 && reader && readData(reader, json, fieldsIn),
        );
  return others.length === 0 ? first?.[0] : undefined;
}

/** Returns which of some names a body contains, or the code of which. */
function namedIn(
  json: unknown,
  { members = [] }: BodyReader,
  names: readonly string[],
  rowOf: (name: string) => BodyRow | undefined,
): string | undefined {
  const tests = members.map((member) => {
    const value = readMember(json, member);
    if (member.role === "name") {
      const values = new Map(Object.entries(member.names ?? {}));
      const isOwn = member.names === undefined || member.isOpen === true;
      return (name: string) =>
        value !== undefined &&
        value === (values.get(name) ?? (isOwn ? name : undefined));
    }
    const code = codeIn(value);
    return (name: string) =>
      member.role === "code" && code !== undefined && code === rowOf(name)?.[0];
  });
  return tests.flatMap((test) => names.find(test) ?? [])[0];
}
