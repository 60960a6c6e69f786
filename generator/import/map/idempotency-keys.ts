import type { DocumentPart } from "../read/document-part.js";
import { isIdempotencyKey } from "./parameters.js";
import type { MappedBody } from "./requests.js";
import type { MappedResponse } from "./responses.js";
import type { Types } from "./types/types.js";

/** An operation, and its path. */
interface Operation {
  readonly part: DocumentPart;
  readonly path: DocumentPart;
}

/** Whether RIDL has a key for the calls of an operation. */
export function hasKey(
  verb: string,
  body: MappedBody,
  response: MappedResponse,
): boolean {
  if (verb !== "post" && verb !== "patch") return false;
  const isFile =
    body.kind === "json" && (body.hasFiles || body.type === "file");
  const { kind } = response.body;
  const isStream = kind === "json" && response.body.isStream;
  return !isFile && kind !== "file" && !isStream;
}

/** Prints the annotation of an operation whose calls can have a key. */
export function printKey(
  { part, path }: Operation,
  isPossible: boolean,
  { library, notes }: Types,
): readonly string[] {
  const item = library.resolve(path);
  const lists = [part.get("parameters"), item?.get("parameters") ?? null];
  const found = lists
    .flatMap((list) => list?.items() ?? [])
    .map((written) => library.resolve(written))
    .find((each) => each !== null && isIdempotencyKey(each));
  if (!found) return [];
  if (!isPossible) {
    const message = "RIDL has no key for calls of this method";
    notes.add("wire", found, message, "it is neither sent nor read");
    return [];
  }
  const isRequired = found.get("required")?.isTrue === true;
  return [isRequired ? "@idempotencyKey" : "@idempotencyKey:optional"];
}
