/** Built-in metadata keys. Source: docs/ridl.md, metadata. */
const keys: Readonly<Record<string, string>> = {
  accept:
    "`integer`: the digits of this string may also come as a JSON number.",
  base: "The base address of the services of this document. The comment describes the host.",
  deprecated:
    "Marks the field as deprecated. The text says what to use instead.",
  error: "The error that answers when the credential is missing or refused.",
  example: "A value that documentation and mock servers show.",
  format: "`uri`: an absolute http or https URL.",
  header: "Makes this type a credential: the header that carries it.",
  json: "The name of the field on the wire; `-` leaves it out.",
  known: "An open enum: the strings of this enum and others.",
  maxItems: "The largest number of entries; of `[]byte`, of bytes.",
  maxLength: "The largest length in code points.",
  maxProperties: "The largest number of entries of a map.",
  maximum: "The largest value, included.",
  minItems: "The smallest number of entries; of `[]byte`, of bytes.",
  minLength: "The smallest length in code points.",
  minProperties: "The smallest number of entries of a map.",
  minimum: "The smallest value, included.",
  nullable: "`true`: `null` is a value of its own.",
  pattern:
    "A regular expression of ECMAScript. It matches anywhere in the text unless `^` and `$` anchor it.",
  scheme: "The word in front of a credential in its header, such as `Bearer`.",
  sensitive: "`true`: the value never appears in failures and logs.",
  title: "What failures call a value, such as `an address`.",
  uniqueItems: "`true`: no two entries are equal.",
};

/** Built-in annotations. Source: docs/ridl.md, annotations. */
const annotations: Readonly<Record<string, string>> = {
  auth: 'The credentials that the method needs, checked in this order: `@auth:"X-Access-Key,Authorization"`.',
  body: "The one output that is the whole body of a REST read.",
  deprecated: 'Not to be used any more: `@deprecated:"use GetItem"`.',
  get: 'A REST read: GET, and the segments of the path fill the request: `@get:"/items/{id}"`.',
  idempotent: "Calling the method again has the same effect.",
  readonly: "The method has no effect.",
  tool: "A tool for agents.",
  webhook: "A call that the host makes to others.",
};

const headers: Readonly<Record<string, string>> = {
  basepath: "The path in front of all methods; `{name}` is a parameter.",
  name: "The name of the service host.",
  version: "The version of the contract, such as `v1.0.0`.",
  webrpc: "The version of the language: `v1`.",
};

/** Explains a metadata key; null for keys of other tools. */
export function keyDocs(key: string): string | null {
  return Object.hasOwn(keys, key) ? (keys[key] ?? null) : null;
}

/** Explains an annotation; null for those of other tools. */
export function annotationDocs(name: string): string | null {
  return Object.hasOwn(annotations, name) ? (annotations[name] ?? null) : null;
}

/** Explains a header of a document. */
export function headerDocs(key: string): string | null {
  return Object.hasOwn(headers, key) ? (headers[key] ?? null) : null;
}
