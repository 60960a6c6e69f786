import { RequestError } from "../rpc/messages.js";

/** Whether a value has the right type. An absent value is `undefined`. */
type IsValid = (value: unknown) => boolean;

const isPosition = object({ line: isNumber, character: isNumber });
const isRange = object({ start: isPosition, end: isPosition });

/**
 * Members of parameters that responses rely on, by the subject of the request.
 */
const expected = {
  document: {
    textDocument: object({ uri: isText }),
    position: orAbsent(isPosition),
    range: orAbsent(isRange),
    positions: orAbsent(listOf(isPosition)),
    context: orAbsent(object({})),
    newName: orAbsent(isText),
  },
  generated: {
    textDocument: object({ uri: isText }),
    position: isPosition,
    text: isText,
  },
  query: { query: isText },
  initialize: {
    capabilities: object({}),
    processId: orNull(isNumber),
    rootUri: orNull(isText),
    workspaceFolders: orNull(listOf(object({ uri: isText }))),
  },
} satisfies Readonly<Record<string, Readonly<Record<string, IsValid>>>>;

/**
 * Checks the parameters of a request.
 * Errors: a {@link RequestError} if a member is missing or invalid.
 */
export function checkParams(
  params: unknown,
  about: keyof typeof expected,
): void {
  const members: Readonly<Record<string, IsValid>> = expected[about];
  for (const [name, isValid] of Object.entries(members)) {
    if (isValid(Reflect.get(Object(params), name))) continue;
    throw missing(name);
  }
}

/**
 * Returns the same parameters, which throw a {@link RequestError} if a reply
 * reads a checked member that is absent.
 */
export function requirePresent<Params extends object>(params: Params): Params {
  return new Proxy(params, {
    get: (target, name): unknown => {
      const value: unknown = Reflect.get(target, name);
      const isAbsent = value === undefined && name in expected.document;
      if (isAbsent) throw missing(String(name));
      return value;
    },
  });
}

function missing(name: string): RequestError {
  return new RequestError("invalidParams", `\`${name}\` is missing or invalid`);
}

function object(members: Readonly<Record<string, IsValid>>): IsValid {
  return (value) =>
    typeof value === "object" &&
    value !== null &&
    Object.entries(members).every(([name, isValid]) =>
      isValid(Reflect.get(value, name)),
    );
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isNumber(value: unknown): boolean {
  return typeof value === "number";
}

function orAbsent(isValid: IsValid): IsValid {
  return (value) => value === undefined || isValid(value);
}

function orNull(isValid: IsValid): IsValid {
  return (value) => value === null || orAbsent(isValid)(value);
}

function listOf(isValid: IsValid): IsValid {
  return (value) => Array.isArray(value) && value.every(isValid);
}
