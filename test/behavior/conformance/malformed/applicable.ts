import type { Row } from "./row.js";

/**
 * The equivalent of a row in this contract: a request to a method, or a reason
 * to skip the row.
 */
export type Application =
  | { readonly kind: "method"; readonly name: string }
  | { readonly kind: "skipped"; readonly reason: string };

const methods: Readonly<Record<string, string>> = {
  "/MalformedBlob": "Blob",
  "/MalformedBoolean/true": "Boolean",
  "/MalformedByte/1": "Byte",
  "/MalformedShort/1": "Short",
  "/MalformedInteger/1": "Integer",
  "/MalformedLong/1": "Long",
  "/MalformedFloat/1": "Float",
  "/MalformedDouble/1": "Double",
  "/MalformedContentTypeWithBody": "ContentType",
  "/MalformedList": "List",
  "/MalformedMap": "Map",
  "/MalformedRequestBody": "RequestBody",
  "/MalformedTimestampBodyDefault": "Timestamp",
  "/MalformedTimestampBodyDateTime": "Timestamp",
  "/MalformedTimestampBodyHttpDate": "Timestamp",
  "/MalformedUnion": "Union",
  "/MalformedEnum": "Enum",
  "/MalformedLength": "Length",
  "/MalformedLengthOverride": "LengthOverride",
  "/MalformedPattern": "Pattern",
  "/MalformedPatternOverride": "PatternOverride",
  "/MalformedRange": "Range",
  "/MalformedRangeOverride": "RangeOverride",
  "/MalformedRequired": "Required",
  "/MalformedUniqueItems": "UniqueItems",
  "/RecursiveStructures": "Recursive",
  "/SensitiveValidation": "Sensitive",
};

/**
 * Features that RIDL lacks, keyed by the identifiers of the rows that test
 * them.
 */
const lacking: readonly (readonly [ids: RegExp, reason: string])[] = [
  [/StringPayload/, "bodies are JSON objects, never bare text"],
  [/WithPayloadExpects/, "bodies are JSON objects, never other media"],
  [/WithoutBody/, "methods without fields take an empty object"],
  [
    /Timestamp(Default|HttpDate)RejectsDateTime_case[01]$/,
    "timestamps have only one form, RFC 3339",
  ],
  [
    /Timestamp(Default|HttpDate)RejectsDateTime_case2$|RejectsUTCOffsets/,
    "timestamps may have an offset, as RFC 3339 allows",
  ],
  [
    /UniqueItems(Timestamp|HttpDate)List/,
    "timestamps have only one form, RFC 3339",
  ],
  [
    /MalformedUnionKnownAndUnknown/,
    "unknown fields are ignored, also beside the variant of a union",
  ],
  [/(Length|Pattern)MapKey/, "map keys have no limits"],
  [/LengthQueryString/, "methods have no query"],
  [/RequiredHeader/, "fields are not sent as headers"],
];

/** Returns the equivalent of a row, or the reason why there is none. */
export function applicationOf({ id, request }: Row): Application {
  const found = lacking.find(([ids]) => ids.test(id));
  if (found !== undefined) return { kind: "skipped", reason: found[1] };
  const name = Object.hasOwn(methods, request.uri)
    ? methods[request.uri]
    : undefined;
  return name === undefined
    ? {
        kind: "skipped",
        reason: `the contract has no method like ${request.uri}`,
      }
    : { kind: "method", name };
}
