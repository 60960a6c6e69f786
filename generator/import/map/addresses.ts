import type { NoteLog } from "../notes/note.js";
import type { DocumentPart } from "../read/document-part.js";
import type { MappedParameter } from "./parameters.js";

/** The address of a method: its path with RIDL's names, and its query. */
export interface Address {
  readonly path: string;
  readonly query: string;
}

/** A literal segment that RIDL can say. */
const literal = /^[A-Za-z0-9._~-]+$/u;

/** The names of the parameters in a path, e.g. `id` in `/orders/{id}`. */
export function parametersIn(path: string): readonly string[] {
  return Array.from(path.matchAll(/\{([^{}]*)\}/gu), ([, name = ""]) => name);
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
  const whole = prefix + path;
  if (whole.length > 1 && whole.endsWith("/")) {
    const message = "RIDL has no paths that end with `/`";
    notes.add("wire", part, message, "the path has no `/` at its end");
  }
  const segments = whole.replace(/^\/|\/$/gu, "").split("/");
  const mapped = segments.map((segment) => mapSegment(segment, parameters));
  if (mapped.includes(null) || segments.join("") === "") {
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
    path: `/${mapped.join("/")}`,
    query: [
      ...(isPlain ? fixedParts : []),
      ...parameters.filter(({ place }) => place === "query").map(mapQuery),
    ].join("&"),
  };
}

function mapSegment(
  segment: string,
  parameters: readonly MappedParameter[],
): string | null {
  if (literal.test(segment)) return segment;
  const name = /^\{([^{}]+)\}$/u.exec(segment)?.[1];
  const parameter = parameters.find(
    (each) => each.place === "path" && each.name === name,
  );
  return parameter ? `{${parameter.field.name}}` : null;
}

function mapQuery({ name, field, isJoined }: MappedParameter): string {
  if (isJoined) return `${name}={${field.name},}`;
  return name === field.name ? name : `${name}={${field.name}}`;
}
