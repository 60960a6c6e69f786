import type { NoteLog } from "../notes/note.js";
import type { DocumentPart } from "../read/document-part.js";
import type { DocumentFiles } from "../read/document-files.js";
import type { FoundOperation } from "./methods.js";

/**
 * Whether another operation makes the same calls, which is noted. Some documents
 * describe one operation several times, at paths that differ only in what is not
 * sent, such as `/files/{id}#rename`.
 */
export function isRepeated(
  { part, path, verb }: FoundOperation,
  document: DocumentPart,
  library: DocumentFiles,
  notes: NoteLog,
): boolean {
  const [sent = "", fragment] = path.key.split("#");
  const written = document.get("paths")?.get(sent);
  if (fragment === undefined || !written) return false;
  const reader = new CallReader(library);
  const own = reader.describe(path, part);
  const other = library.resolve(written)?.get(verb);
  const first = other && reader.describe(written, library.resolve(other));
  if (!own || !first || !isPartOf(own, first)) return false;
  const name = `${verb.toUpperCase()} ${sent}`;
  const isSame = own.body === first.body;
  notes.add(
    isSame ? "advice" : "value",
    part,
    isSame
      ? `this describes \`${name}\` again`
      : `this describes \`${name}\` again, with other types in its request`,
    "one method makes both calls",
  );
  return true;
}

/** What the calls of an operation consist of. */
interface Calls {
  /** The names of parameters, and of members of the body. */
  readonly names: ReadonlySet<string>;
  /** The schema of the body as written. */
  readonly body: string;
  /** The schemas of responses as written, by their statuses. */
  readonly responses: ReadonlyMap<string, string>;
}

function isPartOf(own: Calls, other: Calls): boolean {
  return (
    [...own.names].every((name) => other.names.has(name)) &&
    [...own.responses].every(([key, text]) => {
      const error = /^[45]/u.test(key) ? other.responses.get("default") : null;
      return (other.responses.get(key) ?? error) === text;
    })
  );
}

class CallReader {
  readonly #library: DocumentFiles;

  constructor(library: DocumentFiles) {
    this.#library = library;
  }

  describe(path: DocumentPart, part: DocumentPart | null): Calls | null {
    if (part === null) return null;
    const body = this.#find(part.get("requestBody"));
    const media = body?.get("content")?.entries() ?? [];
    const lists = [this.#find(path), part].map((each) =>
      each?.get("parameters"),
    );
    const parameters = lists.flatMap((list) => list?.items() ?? []);
    const responses = part.get("responses")?.entries() ?? [];
    return {
      names: new Set([
        ...parameters.map((each) => {
          const parameter = this.#find(each);
          return `${parameter?.textOf("in")} ${parameter?.textOf("name")}`;
        }),
        ...media.flatMap((each) => {
          const schema = this.#find(each.get("schema"));
          const members = schema?.get("properties")?.entries() ?? [];
          // A schema without members is not part of another one.
          const keys = members.length === 0 ? [schema?.id ?? ""] : [];
          const names = [...keys, ...members.map(({ key }) => key)];
          return names.map((name) => `${each.key} ${name}`);
        }),
      ]),
      body: printContent(body),
      responses: new Map(
        responses.flatMap((each) => {
          const response = this.#find(each);
          return [[each.key, printContent(response)]];
        }),
      ),
    };
  }

  #find(part: DocumentPart | null | undefined): DocumentPart | null {
    return part ? this.#library.resolve(part) : null;
  }
}

/** Returns a text that is the same for bodies with the same schemas. */
function printContent(owner: DocumentPart | null): string {
  const all = owner?.get("content")?.entries() ?? [];
  const texts = all.map((media) => {
    const schema = media.get("schema");
    return [media.key, schema?.textOf("$ref") ?? schema?.written];
  });
  return JSON.stringify(texts);
}
