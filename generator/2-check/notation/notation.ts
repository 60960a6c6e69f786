import type { AliasDeclaration, Field } from "../../1-parse/ast.js";

/**
 * The kind of value that a metadata key limits: `values` are strings, numbers,
 * booleans and enums.
 */
export type Limits = "number" | "text" | "list" | "map" | "values";

/** The format of a metadata key's value. */
export type MetadataForm =
  "number" | "count" | "flag" | "pattern" | "text" | "values";

/** The meaning of a metadata key. */
export interface KeyMeaning {
  readonly form: MetadataForm;
  readonly limits: Limits | null;
  /** The kinds of declarations that the key applies to. */
  readonly on: readonly (Field | AliasDeclaration)["kind"][];
}

const anywhere = ["field", "alias"] as const;

/** All metadata keys that ridlkit supports. Source: docs/ridl.md. */
export const metadataKeys: ReadonlyMap<string, KeyMeaning> = new Map<
  string,
  KeyMeaning
>([
  ["enum", { form: "values", limits: "values", on: anywhere }],
  ["minimum", { form: "number", limits: "number", on: anywhere }],
  ["maximum", { form: "number", limits: "number", on: anywhere }],
  ["minLength", { form: "count", limits: "text", on: anywhere }],
  ["maxLength", { form: "count", limits: "text", on: anywhere }],
  ["pattern", { form: "pattern", limits: "text", on: anywhere }],
  ["format", { form: "text", limits: "text", on: anywhere }],
  ["minItems", { form: "count", limits: "list", on: anywhere }],
  ["maxItems", { form: "count", limits: "list", on: anywhere }],
  ["uniqueItems", { form: "flag", limits: "list", on: anywhere }],
  ["minProperties", { form: "count", limits: "map", on: anywhere }],
  ["maxProperties", { form: "count", limits: "map", on: anywhere }],
  ["example", { form: "text", limits: null, on: anywhere }],
  ["json", { form: "text", limits: null, on: ["field"] }],
  ["jsonName", { form: "text", limits: null, on: ["field"] }],
  ["nullable", { form: "flag", limits: null, on: anywhere }],
  ["extra", { form: "flag", limits: null, on: ["field"] }],
  ["sensitive", { form: "flag", limits: null, on: anywhere }],
  ["deprecated", { form: "text", limits: null, on: ["field"] }],
  ["title", { form: "text", limits: null, on: ["alias"] }],
  ["known", { form: "text", limits: null, on: ["alias"] }],
  ["accept", { form: "text", limits: null, on: ["alias"] }],
  ["base", { form: "text", limits: null, on: ["alias"] }],
  ["oneOf", { form: "text", limits: null, on: anywhere }],
  ["tag", { form: "text", limits: null, on: anywhere }],
  ["open", { form: "flag", limits: null, on: anywhere }],
  ["choice", { form: "text", limits: null, on: ["field"] }],
  ["header", { form: "text", limits: null, on: anywhere }],
  ["query", { form: "text", limits: null, on: ["alias"] }],
  ["cookie", { form: "text", limits: null, on: ["alias"] }],
  ["scheme", { form: "text", limits: null, on: ["alias"] }],
  ["error", { form: "text", limits: null, on: anywhere }],
  ["dataOf", { form: "text", limits: null, on: ["alias"] }],
  ["anyStatus", { form: "flag", limits: null, on: ["alias"] }],
  ["errorBody", { form: "text", limits: null, on: ["alias"] }],
]);

/** All method annotations that ridlkit supports. */
export const methodAnnotations: readonly string[] = [
  "auth",
  "body",
  "clientOnly",
  "contentType",
  "deprecated",
  "form",
  "get",
  "http",
  "idempotencyKey",
  "idempotent",
  "readonly",
  "requestBody",
  "requestHeaders",
  "responseHeaders",
  "responseStatus",
  "resume",
  "tool",
  "webhook",
];

/** Annotations that webrpc's own documentation uses. */
export const otherAnnotations: readonly string[] = ["internal", "public"];
