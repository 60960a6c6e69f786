/** Built-in metadata keys. Source: docs/ridl.md, metadata. */
const keys: Readonly<Record<string, string>> = {
  accept:
    "`integer`: callers can also send this string of digits as a JSON integer.",
  anyStatus:
    "`true`: handlers throw the error with any status, and clients read responses with a status that no other error of the method has as this error.",
  base: "The base address of this document's services. The doc comment describes the host.",
  choice:
    "Exactly one of the fields with this key is present. The value is a name for the group.",
  dataOf:
    'Makes this alias of a struct the data of an error, or of several: `"NotFound | Gone"`.',
  cookie: "Makes this type a credential that is sent in this cookie.",
  deprecated:
    "Marks the field as deprecated. The value says what to use instead.",
  enum: "The values that are allowed, separated by `|`. Text that is empty or contains `|` is in single quotes.",
  error:
    "On a field, the part of the error that the field contains in the body of an error: `name`, `code`, `message`, `title`, `status` or `cause`. On a credential, the error that is returned if it is missing or rejected.",
  errorBody:
    'Makes this alias of a struct the body of all errors of the host, in place of the envelope. The value is the media type, such as `"application/json"`.',
  example: "An example value for documentation and mock servers.",
  extra:
    "`true`: the field is a map of all members of the JSON object that no other field declares.",
  format: "`uri`: an absolute HTTP or HTTPS URL.",
  header:
    "On a type, makes it a credential that is sent in this header. On a field of an error's data, the header of the response that contains the field.",
  json: "The name of the field on the wire. `-` omits the field.",
  jsonName:
    "The name of the field on the wire, which can be any text, such as `@odata.type`. webrpc ignores this key; for its Go code, write the same name in `go.tag.json`.",
  known:
    "Makes this type an open enum: the members of this enum are known, and other strings are also valid.",
  maxItems: "The maximum number of items, or of bytes in `[]byte`.",
  maxLength: "The maximum length in Unicode code points.",
  maxProperties: "The maximum number of entries in a map.",
  maximum: "The maximum value, inclusive.",
  minItems: "The minimum number of items, or of bytes in `[]byte`.",
  minLength: "The minimum length in Unicode code points.",
  minProperties: "The minimum number of entries in a map.",
  minimum: "The minimum value, inclusive.",
  nullable:
    "`true`: the value can also be `null`. On a type, this applies wherever the type is used, also in lists and maps.",
  oneOf:
    "Makes this `any` a union of these types, separated by `|`. On a field, each type follows the values of the tag that mean it: `created:Created`.",
  open: "`true`: the union also accepts variants that this contract does not know. It needs a `tag`.",
  pattern:
    "An ECMAScript regular expression. It can match anywhere in the string unless you anchor it with `^` and `$`.",
  query:
    "Makes this type a credential that is sent in this parameter of the query.",
  scheme: "The word before the credential in its header, such as `Bearer`.",
  sensitive: "`true`: the value never appears in error messages or logs.",
  tag: "The field that tells the variants of a union apart: of each variant, or, on a field, beside it.",
  title: "What error messages call a value, such as `an address`.",
  uniqueItems: "`true`: all items are different.",
};

/** Built-in annotations. Source: docs/ridl.md, annotations. */
const annotations: Readonly<Record<string, string>> = {
  auth: 'The credentials that the method requires, in the order in which they are checked: `@auth:"X-Access-Key,Authorization"`. `?api_key` is a parameter of the query, and `Cookie:sid` a cookie. A bar separates alternatives; the last can be `none`.',
  body: "The response field that becomes the whole body of a method with `@get` or `@http`.",
  contentType:
    'The media type of a request body in JSON, if it is not `application/json`: `@contentType:"application/merge-patch+json"`.',
  deprecated:
    'Marks a declaration as deprecated and says what to use instead: `@deprecated:"use GetItem"`.',
  get: 'Makes the method a REST read with `GET`. Parameters in the path and in the query are request fields: `@get:"/items/{id}?language"`.',
  http: 'The HTTP method, path, query and success status of the method: `@http:"PUT /items/{id}?notify&limit={size} 201"`. Other request fields are the JSON body. Several statuses each name their body: `200={item} 202=empty`.',
  form: "The request body of a method with `@http` is a form, as a browser sends it. With `@form:brackets`, lists are `a[]=1`.",
  clientOnly:
    "Only clients have the method. Servers leave it out, so its address can be that of another method, and its verb can be `HEAD`.",
  idempotencyKey:
    "Calls have a key, with which they can be repeated without a further effect. With `@idempotencyKey:optional`, calls without a key are accepted.",
  idempotent:
    "Calling the method several times has the same effect as calling it once.",
  readonly: "The method only reads data.",
  requestBody:
    "The request field that becomes the whole body of a method with `@http`: JSON, or the content of a `file`.",
  requestHeaders:
    'Request fields that are headers of a method with `@get` or `@http`: `@requestHeaders:"language, If-Match={revision}"`.',
  resume:
    'The request field with which clients continue a lost stream, and the field of items that is its cursor: `@resume:"after=message.id"`.',
  responseStatus:
    'The output that contains the status of a method with several: `@http:"PUT /items 200={item} 201={item}" @responseStatus:status`.',
  responseHeaders:
    'Outputs that are headers of the response of a method with `@get` or `@http`: `@responseHeaders:"Location={location}"`.',
  tool: "Makes the method available to agents as a tool.",
  webhook: "The host calls this method on other servers, as a webhook.",
};

const headers: Readonly<Record<string, string>> = {
  basepath: "The path that precedes all methods. `{name}` is a parameter.",
  name: "The name of the service host.",
  version: "The version of the contract, such as `v1.0.0`.",
  webrpc: "The version of the schema language: `v1`.",
};

/** Describes a metadata key. Returns null for other tools' keys. */
export function keyDocs(key: string): string | null {
  return Object.hasOwn(keys, key) ? (keys[key] ?? null) : null;
}

/** Describes an annotation. Returns null for other tools' annotations. */
export function annotationDocs(name: string): string | null {
  return Object.hasOwn(annotations, name) ? (annotations[name] ?? null) : null;
}

/** Describes a header of a document. */
export function headerDocs(key: string): string | null {
  return Object.hasOwn(headers, key) ? (headers[key] ?? null) : null;
}
