import {
  findWrongSegment,
  parsePathTemplate,
} from "../../../generator/ir/path-template.js";
import type { NoteLog } from "../notes/note.js";
import type { DocumentPart } from "../read/document-part.js";
import type { MappedParameter } from "./parameters.js";

/** The address of a method: its path with RIDL's names, and its query. */
export interface Address {
  readonly path: string;
  readonly query: string;
}

/**
 * Maps a path such as `/orders/{order-id}?beta=true`. Returns null if RIDL
 * cannot say it, which is noted.
 */
export function mapAddress(
  part: DocumentPart,
  prefix: string,
  parameters: readonly MappedParameter[],
  notes: NoteLog,
): Address | null {
  const [withoutHash = ""] = part.key.split("#", 1);
  if (withoutHash !== part.key) {
    const message = "a path has no fragment";
    notes.add("advice", part, message, "the part from `#` on is left out");
  }
  const [path = "", fixed = ""] = withoutHash.split("?", 2);
  const whole = `/${(prefix + path).replace(/^\//u, "")}`;
  const mapped = nameParameters(whole, parameters);
  if (findWrongSegment(parsePathTemplate(mapped)) !== null) {
    const message = `RIDL cannot say the path \`${whole}\``;
    notes.add("wire", part, message, "the method has webrpc's path");
    return null;
  }
  const fixedParts = fixed.split("&").filter((each) => each !== "");
  const isPlain = fixedParts.every((each) =>
    /^[^\s&=#?{}"%+]+=[^\s&=#?{}"%+]*$/u.test(each),
  );
  if (!isPlain) {
    const message = `RIDL cannot say the query \`${fixed}\``;
    notes.add("wire", part, message, "it is left out");
  }
  return {
    path: mapped,
    query: [
      ...(isPlain ? fixedParts : []),
      ...parameters.filter(({ place }) => place === "query").map(mapQuery),
    ].join("&"),
  };
}

/** Gives the parameters of a path the names of their fields. */
function nameParameters(
  path: string,
  parameters: readonly MappedParameter[],
): string {
  return path.replace(/\{([^{}]+)\}/gu, (_, name: string) => {
    const parameter = parameters.find(
      (each) => each.place === "path" && each.name === name,
    );
    return `{${parameter?.field.name ?? ""}}`;
  });
}

function mapQuery({ name, field, isJoined }: MappedParameter): string {
  if (isJoined) return `${name}={${field.name},}`;
  return name === field.name ? name : `${name}={${field.name}}`;
}
