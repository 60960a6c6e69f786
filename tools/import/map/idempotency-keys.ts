import { keyPattern } from "../../../generator/http/request.js";
import type { DocumentPart } from "../read/document-part.js";
import type { DocumentFiles } from "../read/document-files.js";
import { isIdempotencyKey } from "./parameters.js";
import type { MappedBody } from "./requests.js";
import type { MappedResponse } from "./responses.js";
import type { Types } from "./types/types.js";

/** An operation, its path, and its verb in lower case. */
interface Operation {
  readonly part: DocumentPart;
  readonly path: DocumentPart;
  readonly verb: string;
}

/** Whether RIDL has a key for the calls of an operation. */
export function hasKey(body: MappedBody, response: MappedResponse): boolean {
  const isFile =
    body.kind === "json" && (body.hasFiles || body.type === "file");
  const { kind } = response.body;
  const isStream = kind === "json" && response.body.isStream;
  return !isFile && kind !== "file" && !isStream;
}

/** Prints the annotation of an operation whose calls can have a key. */
export function printKey(
  { part, path, verb }: Operation,
  isPossible: boolean,
  { library, notes }: Types,
): readonly string[] {
  const item = library.resolve(path);
  const lists = [part.get("parameters"), item?.get("parameters") ?? null];
  const found = lists
    .flatMap((list) => list?.items() ?? [])
    .map((written) => library.resolve(written))
    .find((each) => each !== null && isIdempotencyKey(each, verb));
  if (!found) return [];
  if (!isPossible) {
    const message = "RIDL has no key for calls of this method";
    notes.add("wire", found, message, "it is neither sent nor read");
    return [];
  }
  const schema = found.get("schema");
  const limit = schema === null ? "content" : limitOf(schema, library);
  if (limit !== null) {
    const message = `clients send keys in quotes, which \`${limit}\` may not allow`;
    const instead =
      "no key is sent, unless clients get the header in `headers`; if the server accepts quotes, add `@idempotencyKey`";
    notes.add("wire", found, message, instead);
    return [];
  }
  const known = schema && library.resolve(schema)?.textOf("pattern");
  if (known !== keyPattern) {
    const message = "the key is sent in quotes";
    const instead =
      'the key `"a"` is not the key `a` of a client that sends no quotes, and servers made from the RIDL require them';
    notes.add("wire", found, message, instead);
  }
  const isRequired = found.get("required")?.isTrue === true;
  return [isRequired ? "@idempotencyKey" : "@idempotencyKey:optional"];
}

/** Keywords that do not limit strings. */
const harmless =
  /^(?:\$comment|default|deprecated|description|examples?|externalDocs|nullable|title|x-.*)$/u;

/** The lengths of random keys with their quotes, with some room. */
const [shortest, longest] = [34, 45];

/** A schema can refer to itself. */
const maxDepth = 8;

/** Returns the keyword of a schema that may refuse the keys of clients, or null. */
function limitOf(
  written: DocumentPart,
  library: DocumentFiles,
  depth = 0,
): string | null {
  const schema = library.resolve(written);
  if (schema === null || depth > maxDepth) return "$ref";
  const limits = schema.entries().flatMap((entry) => {
    const { key, text } = entry;
    const inEach = (): readonly (string | null)[] =>
      entry.items().map((each) => limitOf(each, library, depth + 1));
    switch (key) {
      case "pattern":
        return text === keyPattern ? [] : [key];
      case "type":
        return [text, ...entry.items().map((each) => each.text)].includes(
          "string",
        )
          ? []
          : [key];
      case "maxLength":
        return Number(text) < longest ? [key] : [];
      case "minLength":
        return Number(text) > shortest ? [key] : [];
      case "allOf":
        return inEach().flatMap((limit) => limit ?? []);
      case "anyOf":
      case "oneOf": {
        const [first = key, ...others] = inEach();
        return [first, ...others].includes(null) ? [] : [first ?? key];
      }
      default:
        return harmless.test(key) ? [] : [key];
    }
  });
  return limits[0] ?? null;
}
