/**
 * Every diagnostic code about a contract, with a one-line description. The page
 * of a code is `docs/diagnostics/<code>.md`. Each stage has its own section.
 */

/** Found while parsing a RIDL document. */
const parseCodes = {
  "byte-order-mark": "a file begins with a byte order mark",
  "dangling-annotation": "an annotation is not attached to a declaration",
  "deep-nesting": "lists and maps are nested too deeply",
  "error-separator": "error names are not separated by ` | `",
  "invalid-variants": "the variants of a union cannot be read",
  "line-break": "an argument list spans several lines",
  "misplaced-metadata": "`+ key = value` is used where it has no meaning",
  "missing-name": "a name is missing",
  "missing-type": "a type is missing",
  "missing-value": "a value is missing",
  "not-portable": "ridlkit accepts this syntax, but webrpc's parser does not",
  "nul-character": "a file contains a NUL character",
  "renamed-keyword": "the old name of a keyword is used",
  "reserved-name": "a method is named `stream` or `proxy`",
  "trailing-text": "a method is followed by an extra word",
  "unclosed-bracket": "a bracket is unbalanced",
  "unclosed-string": "a string is not closed",
  "unexpected-token": "unexpected text",
  "unknown-escape": "a string contains an unknown escape",
  "unknown-keyword": "a line begins with an unknown keyword",
  "unquoted-value": "a value needs quotes",
} as const;

/** Found while reading the JSON or YAML form of a schema. */
const formCodes = {
  "invalid-form": "the JSON or YAML form of a schema has the wrong structure",
  "invalid-yaml": "a JSON or YAML document has a syntax error",
  "unknown-key": "the JSON or YAML form of a schema has an unknown key",
} as const;

/** Found while checking the documents together: names, types, rules. */
const checkCodes = {
  "alias-cycle": "an alias refers to itself",
  "ambiguous-variants": "a value can be of two variants of a union",
  "client-stream": "a method streams its request",
  "conflicting-annotations": "two annotations contradict each other",
  "conflicting-credential": "a credential conflicts with a method",
  "contradicting-constraints": "two limits contradict each other",
  "duplicate-annotation": "an annotation is given twice",
  "duplicate-argument": "two arguments of a method have the same name",
  "duplicate-base-address": "a document has two base addresses",
  "duplicate-credential": "two credentials are sent in the same place",
  "duplicate-enum-member": "two members of an enum have the same name",
  "duplicate-enum-value": "two members of an enum have the same value",
  "duplicate-error-code": "two errors have the same code",
  "duplicate-error-data": "an error has two types of data",
  "duplicate-error-name": "two errors have the same name",
  "duplicate-field": "two fields of a struct have the same name",
  "duplicate-header": "a header is given twice",
  "duplicate-host": "the names of two entry documents clash",
  "duplicate-json-name": "two fields of a struct have the same JSON name",
  "duplicate-metadata": "a metadata key is given twice",
  "duplicate-method": "two methods of a service have the same name",
  "duplicate-route": "two methods have the same verb and path",
  "duplicate-service": "two services have the same name",
  "duplicate-type": "two types have the same name",
  "empty-enum": "an enum has no members",
  "empty-error-message": "an error has an empty message",
  "empty-service": "a service has no methods",
  "import-cycle": "documents import each other in a cycle",
  "infinite-struct": "a struct requires a value of its own type",
  "infinite-union": "every variant of a union requires the union",
  "invalid-accept":
    "`accept` is used on something other than an alias of `string`, or its value is not `integer`",
  "invalid-argument-name": "an argument has an invalid name",
  "invalid-basepath": "`basepath` is not a valid path",
  "invalid-body": "`@body` does not name the only output",
  "invalid-credential": "a credential is incomplete or invalid",
  "invalid-enum-base": "an enum has an invalid type",
  "invalid-enum-member-name": "an enum member has an invalid name",
  "invalid-enum-value":
    "the value of an enum member does not fit the enum's type",
  "invalid-error-body": "the body of a host's errors is declared incorrectly",
  "invalid-error-code": "the code of an error is out of range",
  "invalid-error-data": "the data of an error is declared incorrectly",
  "invalid-error-name": "an error has an invalid name",
  "invalid-error-header": "a field cannot be in a header of an error",
  "invalid-error-role": "a field cannot contain a part of an error",
  "invalid-error-status": "the HTTP status of an error is not an error status",
  "invalid-extra": "a field cannot collect the extra members of its struct",
  "invalid-field-name": "a field has an invalid name",
  "invalid-form-body": "a request cannot be sent as a form",
  "invalid-http": "`@http` does not contain a valid verb, path and status",
  "invalid-idempotency-key": "the calls of a method cannot have a key",
  "invalid-json-name": "a field has an invalid JSON name",
  "invalid-known-values": "`known` does not name a string enum",
  "invalid-map-key": "a map has an unsupported key type",
  "invalid-metadata-value": "a metadata value is invalid",
  "invalid-method-name": "a method has an invalid name",
  "invalid-pattern": "`pattern` is not a valid regular expression",
  "invalid-query": "the query of a REST method does not match the method",
  "invalid-request-body":
    "`@requestBody` does not name a field that can be the body",
  "invalid-request-headers":
    "the headers of a REST method do not match the method",
  "invalid-response-headers":
    "the headers of a REST method's response do not match the method",
  "invalid-resume": "`@resume` does not name the cursor of a stream",
  "invalid-rest-path": "the path of a REST method does not match the method",
  "invalid-service-name": "a service has an invalid name",
  "invalid-statuses": "the statuses of a REST method do not match its outputs",
  "invalid-succinct": "a message without argument names is not a struct",
  "invalid-type-name": "a type has an invalid name",
  "invalid-union": "a union or one of its variants is invalid",
  "limited-bytes": "the items of a list of bytes have limits",
  "misplaced-constraint": "a limit does not apply to this type",
  "misplaced-file": "a `file` is used where only JSON is allowed",
  "misplaced-key": "a metadata key has no effect here",
  "missing-file": "a document does not exist",
  "missing-version": "a document with services has no version",
  "missing-webrpc-header": "a document lacks `webrpc = v1`",
  "mixed-webhook-service": "a service mixes webhooks with other methods",
  "proxy-method": "`proxy` has no effect",
  "reserved-member": "the items of a stream have a member `webrpcError`",
  "unbound-request-field": "a field of a REST method is nowhere in its request",
  "unknown-annotation": "an annotation looks like a misspelling of a known one",
  "unknown-credential": "`@auth` names an undeclared credential",
  "unknown-error": "a method lists an undeclared error",
  "unknown-format": "a format is not enforced",
  "unknown-import-member": "an import lists an undeclared name",
  "unknown-metadata": "a metadata key looks like a misspelling of a known one",
  "unknown-origin": "an `origin:` line has an unknown kind",
  "unknown-type": "a type is not declared",
  "unsupported-webrpc-version": "the `webrpc` version is not supported",
} as const;

/** Found by rules that can be turned off, by category. See docs/lint.md. */
const lintCodes = {
  minimal: {
    "deprecated-used": "a deprecated type is used",
    "example-invalid": "an example is not a value of its type",
    "import-used": "an import is unused",
    "paging-incomplete": "a method seems to return pages but does not",
    "reserved-word": "a name already has a meaning in JavaScript",
    "suppression-reason": "a finding is suppressed without a reason",
    "suppression-unknown": "a comment suppresses an unknown code",
    "suppression-unused": "a suppression comment has no effect",
    "timestamp-alias": "an alias is another name for `timestamp`",
    "unknown-word": "an annotation or metadata key is unknown",
    "value-impossible": "limits exclude every value",
  },
  security: {
    "int64-unsafe": "an integer type exceeds JavaScript's safe integer range",
    "pattern-anchored": "a pattern is not anchored",
    "pattern-length": "a pattern accepts strings of any length",
    "pattern-redos": "a pattern can take exponential or polynomial time",
    "unbounded-list": "a request can contain a list or map of any length",
    "unbounded-recursion": "a request can be nested to any depth",
  },
  standard: {
    "enum-value-case": "the members of an enum use different naming styles",
    "enum-zero-value": "an integer enum has no member with the value 0",
    "error-code-range": "an error code looks like an HTTP status",
    "error-http-status-explicit": "an error does not state its HTTP status",
    "error-message-style": "an error message is not in the usual style",
    "error-unused": "an error is not listed by any method",
    "field-camel-case": "a field or argument name is not in camelCase",
    "method-pascal-case": "a method name is not in PascalCase",
    "method-succinct": "a method lists its arguments instead of using a struct",
    "request-response-unique": "two messages use the same struct",
    "request-standard-name": "the name of a request does not match its method",
    "response-standard-name":
      "the name of a response does not match its method",
    "service-pascal-case": "a service name is not in PascalCase",
    "type-pascal-case": "a type name is not in PascalCase",
    "type-unused": "a type is not used by any method",
    "unique-items-on-objects": "`uniqueItems` is used on a list of objects",
  },
  comments: {
    "comment-enum": "an enum has no comment",
    "comment-enum-value": "an enum member has no comment",
    "comment-error": "an error has no comment",
    "comment-field": "a field has no comment",
    "comment-method": "a method has no comment",
    "comment-service": "a service has no comment",
    "comment-type": "a struct or alias has no comment",
  },
  guesses: {
    "method-verb": "a method name does not begin with a verb",
    "paginated-missing": "a method returns a list without pagination",
    "sensitive-missing": "a secret is not marked as sensitive",
    "should-use-timestamp":
      "a point in time does not have the type `timestamp`",
    "stuttered-name": "a name repeats the name of its parent",
    "webrpc-field": "webrpc reads and writes a field differently",
  },
} as const;

/** Found by comparing two versions of a contract. See docs/breaking.md. */
const breakingCodes = {
  "basepath-same": "a host's base path changed",
  "constraint-pattern-changed": "a pattern changed",
  "constraint-request-no-loosen": "a limit on requests became looser",
  "constraint-request-no-tighten": "a limit on requests became tighter",
  "constraint-response-no-loosen": "a limit on responses became looser",
  "constraint-response-no-tighten": "a limit on responses became tighter",
  "credential-same-error": "a missing credential now causes a different error",
  "credential-same-header": "a credential is sent differently",
  "deprecated-before-delete":
    "a method or field was removed without being deprecated first",
  "enum-member-same-name": "an enum member was renamed",
  "enum-value-added": "a value was added to an enum",
  "enum-value-no-delete": "an enum value was removed",
  "enum-value-same-json": "an enum value changed on the wire",
  "error-body-same": "the body of errors changed",
  "error-code-no-reuse": "the code of a removed error was reused",
  "error-data-no-add": "data was added to an error",
  "error-data-no-delete": "data was removed from an error",
  "error-no-delete": "an error was removed",
  "error-same-code": "an error's code changed",
  "error-same-status": "an error's HTTP status changed",
  "extra-members-no-exclude":
    "the limits of extra members exclude objects that were valid",
  "field-numeric-narrowed": "a field's numeric type changed",
  "field-same-json-kind": "a field's JSON type changed",
  "field-same-json-name": "a field's name on the wire changed",
  "field-same-name": "a field was renamed in code only",
  "field-same-type": "a field's type changed",
  "host-same-name": "a host was renamed",
  "method-added": "a method was added",
  "method-credentials-no-add": "a method requires an additional credential",
  "method-credentials-no-delete": "a method no longer requires a credential",
  "method-error-no-add": "a method can return an additional error",
  "method-error-no-delete": "an error was removed from a method",
  "method-idempotency-key-no-require": "a method now requires a key",
  "method-no-delete": "a method was removed",
  "method-resume-no-change": "a stream has another cursor, or none",
  "method-safety-no-strengthen": "a method can now be retried safely",
  "method-safety-no-weaken": "a method can no longer be retried safely",
  "method-same-content": "a message gained its first file or lost its last one",
  "method-same-form": "a method's message type was renamed",
  "method-same-name": "a REST read was renamed",
  "method-same-route": "a method's address changed",
  "method-same-server": "`@clientOnly` was added or removed",
  "method-same-stream": "a method became a stream or stopped being one",
  "request-field-added": "requests have a new optional field",
  "request-field-no-add-required": "requests have a new required field",
  "request-field-no-allow-null": "a request field can now be null",
  "request-field-no-delete": "a request field was removed",
  "request-field-no-forbid-null": "a request field can no longer be null",
  "request-field-optional-to-required":
    "an optional request field became required",
  "request-field-required-to-optional":
    "a required request field became optional",
  "response-field-add-required": "responses have a new required field",
  "response-field-no-allow-null": "a response field can now be null",
  "response-field-no-delete": "a response field was removed",
  "response-field-no-forbid-null": "a response field can no longer be null",
  "response-field-optional-to-required":
    "an optional response field became required",
  "response-field-required-to-optional":
    "a required response field became optional",
  "route-no-shadow": "another method now receives some of a method's calls",
  "service-added": "a service was added",
  "service-no-delete": "a service was removed",
  "service-same-name": "a webhook service was renamed",
  "type-no-delete": "a type was removed",
  "type-same-kind": "a type became a different kind of declaration",
  "union-no-close": "a union no longer accepts unknown tags",
  "union-no-open": "a union now accepts unknown tags",
  "union-same-choice": "the fields of a choice changed",
  "union-same-tag": "another field now tells the variants of a union apart",
  "union-same-variant": "the values of a variant are read as another variant",
  "union-variant-added": "a variant was added to a union",
  "union-variant-no-delete": "a variant was removed from a union",
  "validation-error-same-name": "invalid requests now return a different error",
  "webhook-same-events": "receivers can no longer tell webhooks apart",
} as const;

/**
 * All codes about contracts. Codes about files and the configuration, such as
 * `file-access`, are not in the catalog.
 */
export const catalog: Readonly<Record<string, string>> = {
  ...parseCodes,
  ...formCodes,
  ...checkCodes,
  ...lintCodes.minimal,
  ...lintCodes.security,
  ...lintCodes.standard,
  ...lintCodes.comments,
  ...lintCodes.guesses,
  ...breakingCodes,
};

/** The code of a problem that is found while parsing a document. */
export type ParseCode = keyof typeof parseCodes | keyof typeof formCodes;

/** The code of a problem that is found while checking documents together. */
export type CheckCode = keyof typeof checkCodes | "deep-nesting";

/** A category of lint rules, which are turned on together. */
export type LintCategory = keyof typeof lintCodes;

/** A code that belongs to a lint rule. */
export type LintCode = {
  [Category in LintCategory]: keyof (typeof lintCodes)[Category];
}[LintCategory];

/** All categories, in the order of docs/lint.md. */
export const lintCategories = [
  "minimal",
  "security",
  "standard",
  "comments",
  "guesses",
] as const satisfies readonly LintCategory[];

/** Returns the category of a lint code, or null for other codes. */
export function categoryOf(code: string): LintCategory | null {
  const has = (category: LintCategory): boolean =>
    Object.hasOwn(lintCodes[category], code);
  return lintCategories.find(has) ?? null;
}

/** A code that belongs to a rule about two versions of a contract. */
export type BreakingCode = keyof typeof breakingCodes;

/** Whether a code belongs to a lint rule. */
export function isLintCode(code: string): boolean {
  return categoryOf(code) !== null;
}

/** Whether a code is about two versions of a contract instead of one. */
export function isBreakingCode(code: string): boolean {
  return Object.hasOwn(breakingCodes, code);
}
