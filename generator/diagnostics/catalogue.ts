/**
 * Every diagnostic code with one line that says what it is about. The page of
 * a code is `docs/diagnostics/<code>.md`. Each stage has its own section.
 */

/** Found while a RIDL document is read. */
const parseCodes = {
  "byte-order-mark": "a file begins with a byte order mark",
  "dangling-annotation": "an annotation belongs to nothing",
  "deep-nesting": "lists and maps stand too deeply within each other",
  "error-separator": "names of errors are not separated by ` | `",
  "line-break": "an argument list does not stand on one line",
  "misplaced-metadata": "`+ key = value` stands where it has no meaning",
  "missing-name": "a name is missing",
  "missing-type": "a type is missing",
  "missing-value": "a value is missing",
  "not-portable": "ridlkit reads this, webrpc's own parser does not",
  "nul-character": "a file is not read after a NUL character",
  "renamed-keyword": "a keyword has another name now",
  "reserved-name": "a name is a modifier of the language",
  "trailing-text": "a word at the end of a method has no meaning",
  "unclosed-bracket": "a bracket is not opened or not closed",
  "unclosed-string": "a string does not end on its line",
  "unexpected-token": "something stands where it cannot",
  "unknown-escape": "a string has an unknown escape",
  "unknown-keyword": "a line begins with a word that is no keyword",
  "unquoted-value": "a value needs quotes",
} as const;

/** Found while the JSON or YAML form of a schema is read. */
const formCodes = {
  "invalid-form": "the JSON or YAML form of a schema has the wrong shape",
  "invalid-yaml": "a JSON or YAML document cannot be read",
  "unknown-key": "a key of the JSON or YAML form is not known",
} as const;

/** Found while the documents are checked together: names, types, rules. */
const checkCodes = {
  "alias-cycle": "an alias leads back to itself",
  "client-stream": "a method streams its request",
  "conflicting-annotations": "two annotations contradict each other",
  "contradicting-constraints": "a lower limit is above the upper one",
  "duplicate-annotation": "an annotation is given twice",
  "duplicate-argument": "two arguments of a method have the same name",
  "duplicate-base-address": "a document has two base addresses",
  "duplicate-credential": "two credentials use the same header",
  "duplicate-enum-member": "two members of an enum have the same name",
  "duplicate-enum-value": "two members of an enum have the same value",
  "duplicate-error-code": "two errors have the same code",
  "duplicate-error-name": "two errors have the same name",
  "duplicate-field": "two fields of a struct have the same name",
  "duplicate-header": "a header is given twice",
  "duplicate-host": "two entry documents have the same name",
  "duplicate-json-name": "two fields of a struct have the same JSON name",
  "duplicate-metadata": "a metadata key is given twice",
  "duplicate-method": "two methods of a service have the same name",
  "duplicate-route": "two REST reads have paths that cannot be told apart",
  "duplicate-service": "two services have the same name",
  "duplicate-type": "two types have the same name",
  "empty-error-message": "an error has an empty message",
  "empty-service": "a service has no methods",
  "import-cycle": "documents import each other in a circle",
  "infinite-struct": "a struct requires itself",
  "invalid-accept": "`accept` is not `integer` on an alias of `string`",
  "invalid-argument-name": "an argument has a name that targets cannot use",
  "invalid-basepath": "`basepath` is not a path",
  "invalid-body": "`@body` does not name the only output",
  "invalid-credential": "a credential is not complete",
  "invalid-enum-base": "an enum is neither of integers nor of strings",
  "invalid-enum-member-name":
    "an enum member has a name that targets cannot use",
  "invalid-enum-value": "an enum member has a value that is not of its type",
  "invalid-error-code": "an error has a code out of range",
  "invalid-error-name": "an error has a name that targets cannot use",
  "invalid-error-status": "an error has an HTTP status that is no failure",
  "invalid-field-name": "a field has a name that targets cannot use",
  "invalid-json-name": "a field has a JSON name that targets cannot use",
  "invalid-known-values": "`known` does not name a string enum",
  "invalid-map-key": "a map has keys that JSON cannot have",
  "invalid-metadata-value": "the value of a metadata key has the wrong form",
  "invalid-method-name": "a method has a name that targets cannot use",
  "invalid-pattern": "`pattern` is not a regular expression",
  "invalid-rest-path": "the path of `@get` does not fit the method",
  "invalid-service-name": "a service has a name that targets cannot use",
  "invalid-succinct": "a message without argument names is not a struct",
  "invalid-type-name": "a type has a name that targets cannot use",
  "misplaced-constraint": "a limit does not fit the type that it limits",
  "misplaced-file": "a `file` stands where JSON would have to hold it",
  "misplaced-key": "a metadata key has no effect where it stands",
  "missing-file": "a document does not exist",
  "missing-version": "a document with services has no version",
  "missing-webrpc-header": "a document does not say `webrpc = v1`",
  "mixed-webhook-service": "a service has webhooks and other methods",
  "proxy-method": "`proxy` has no effect",
  "unbound-request-field": "a field of a REST read is not in its path",
  "unknown-annotation": "an annotation is nearly one with a meaning",
  "unknown-credential": "`@auth` names a credential that is not declared",
  "unknown-error": "a method lists an error that is not declared",
  "unknown-format": "a format is not enforced",
  "unknown-import-member": "an imported name is not declared there",
  "unknown-metadata": "a metadata key is nearly one with a meaning",
  "unknown-origin": "an `origin:` line has an unknown kind",
  "unknown-type": "a type is not declared",
  "unsupported-webrpc-version": "`webrpc` is not `v1`",
} as const;

/** Found by rules that can be switched off. Source: docs/lint.md. */
const lintCodes = {
  "comment-enum": "an enum has no comment",
  "comment-enum-value": "a member of an enum has no comment",
  "comment-error": "an error has no comment",
  "comment-field": "a field has no comment",
  "comment-method": "a method has no comment",
  "comment-service": "a service has no comment",
  "comment-type": "a struct or alias has no comment",
  "deprecated-used": "a deprecated type is used",
  "enum-value-case": "members of an enum are written in different styles",
  "enum-zero-value": "an enum of integers has no 0",
  "error-code-range": "the code of an error looks like an HTTP status",
  "error-http-status-explicit": "an error does not say its HTTP status",
  "error-message-style": "the message of an error is not a few plain words",
  "error-unused": "no method has an error",
  "field-camel-case": "a field or argument is not named in camelCase",
  "import-used": "nothing that is imported is used",
  "int64-unsafe": "an integer has more bits than a JavaScript number",
  "method-pascal-case": "a method is not named in PascalCase",
  "method-succinct": "a method lists its arguments",
  "method-verb": "the name of a method does not begin with a verb",
  "paginated-missing": "a method lists things without pages",
  "pattern-anchored": "a pattern matches in the middle of a text",
  "pattern-length": "a pattern takes texts of any length",
  "pattern-redos": "a pattern can take far too long",
  "request-response-unique": "two methods share a message",
  "request-standard-name": "a request is not called after its method",
  "reserved-word": "a name means something else in JavaScript",
  "response-standard-name": "a response is not called after its method",
  "sensitive-missing": "what looks like a secret is not marked as one",
  "service-pascal-case": "a service is not named in PascalCase",
  "should-use-timestamp": "what looks like a moment is not a `timestamp`",
  "stuttered-name": "a name repeats the name of what it belongs to",
  "suppression-reason": "a finding is silenced without a reason",
  "suppression-unknown": "a comment silences a code that does not exist",
  "suppression-unused": "a comment silences nothing",
  "timestamp-alias": "a `type` stands for `timestamp`",
  "type-pascal-case": "a type is not named in PascalCase",
  "type-unused": "no method uses a type",
  "unbounded-list": "a request may have a list of any length",
  "unbounded-recursion": "a request may be nested without end",
  "unique-items-on-objects": "`uniqueItems` stands on a list of objects",
} as const;

/** Found between two versions of a contract. Source: docs/breaking.md. */
const breakingCodes = {
  "basepath-same": "the base path of a host changed",
  "constraint-pattern-changed": "a pattern changed",
  "constraint-request-no-loosen": "a limit on requests became looser",
  "constraint-request-no-tighten": "a limit on requests became tighter",
  "constraint-response-no-loosen": "a limit on responses became looser",
  "constraint-response-no-tighten": "a limit on responses became tighter",
  "credential-same-error":
    "a missing credential is answered with another error",
  "credential-same-header": "a credential is sent differently",
  "deprecated-before-delete": "something was removed that was not deprecated",
  "enum-member-same-name": "a member of an enum was renamed",
  "enum-value-added": "a value was added to an enum",
  "enum-value-no-delete": "a value of an enum was removed",
  "enum-value-same-json": "the text of an enum value on the wire changed",
  "error-code-no-reuse": "the code of a removed error has a new meaning",
  "error-no-delete": "an error was removed",
  "error-same-code": "the code of an error changed",
  "error-same-status": "the HTTP status of an error changed",
  "field-numeric-narrowed": "the type of a number changed",
  "field-same-json-kind": "the JSON type of a field changed",
  "field-same-json-name": "the name of a field on the wire changed",
  "field-same-name": "a field was renamed in code only",
  "field-same-type": "the type of a field changed",
  "host-same-name": "a host was renamed",
  "method-added": "a method was added",
  "method-credentials-no-add": "a method requires an additional credential",
  "method-credentials-no-delete": "a method no longer requires a credential",
  "method-error-no-add": "a method can return an additional error",
  "method-error-no-delete": "a method no longer returns an error",
  "method-no-delete": "a method was removed",
  "method-safety-no-strengthen": "a method may now be repeated safely",
  "method-safety-no-weaken": "a method may no longer be repeated safely",
  "method-same-content":
    "a message gained its first file, or lost its last one",
  "method-same-form": "a message type of a method was renamed",
  "method-same-name": "a REST read was renamed",
  "method-same-route": "the address of a method changed",
  "method-same-stream": "a method became a stream, or stopped being one",
  "request-field-added": "requests have a new optional field",
  "request-field-no-add-required": "requests require a new field",
  "request-field-no-allow-null": "a field of requests can now be null",
  "request-field-no-delete": "a field of requests was removed",
  "request-field-no-forbid-null": "a field of requests can no longer be null",
  "request-field-optional-to-required":
    "an optional field of requests became required",
  "request-field-required-to-optional":
    "a required field of requests became optional",
  "response-field-add-required": "responses require a new field",
  "response-field-no-allow-null": "a field of responses can now be null",
  "response-field-no-delete": "a field of responses was removed",
  "response-field-no-forbid-null": "a field of responses can no longer be null",
  "response-field-optional-to-required":
    "an optional field of responses became required",
  "response-field-required-to-optional":
    "a required field of responses became optional",
  "route-no-shadow": "another method answers some calls of a method",
  "service-added": "a service was added",
  "service-no-delete": "a service was removed",
  "service-same-name": "a service of webhooks was renamed",
  "type-no-delete": "a type was removed",
  "type-same-kind": "a type became a declaration of another kind",
  "validation-error-same-name":
    "invalid requests are answered with another error",
  "webhook-same-events": "receivers can no longer tell webhooks apart",
} as const;

/** All codes; the keys are what `Diagnostic.code` may be. */
export const catalogue: Readonly<Record<string, string>> = {
  ...parseCodes,
  ...formCodes,
  ...checkCodes,
  ...lintCodes,
  ...breakingCodes,
};

/** A code that is found while a document is read. */
export type ParseCode = keyof typeof parseCodes | keyof typeof formCodes;

/** A code that is found while documents are checked together. */
export type CheckCode = keyof typeof checkCodes | "deep-nesting";

/** A code of a lint rule. */
export type LintCode = keyof typeof lintCodes;

/** A code of a rule about two versions of a contract. */
export type BreakingCode = keyof typeof breakingCodes;

/** Whether a code is about two versions of a contract, and not about one. */
export function isBreakingCode(code: string): boolean {
  return Object.hasOwn(breakingCodes, code);
}
