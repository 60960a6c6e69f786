import { noteKeywords } from "../notes/note-keywords.js";
import type { NoteLog } from "../notes/note.js";
import type { DocumentFiles } from "../read/document-files.js";
import type { DocumentPart } from "../read/document-part.js";
import { pathsIn } from "../read/operations.js";
import { toComment } from "../model/comments.js";
import { toFieldName } from "../model/names.js";

/** The address of a document's server. */
export interface Server {
  /** The address as written, or null if the document has no server. */
  readonly url: string | null;
  /** The address without its path as written, or "". */
  readonly host: string;
  /** The address without its path, or null if there is none. */
  readonly base: string | null;
  /** The path that precedes all others, e.g. `/v1`, or "". */
  readonly prefix: string;
  readonly docs: readonly string[];
}

/**
 * Returns the servers of a document, or those of its paths if it has none of
 * its own.
 */
function findServers(
  document: DocumentPart,
  library: DocumentFiles,
): readonly DocumentPart[] {
  const paths = pathsIn(document, library).map(({ item }) => item);
  const serversOf = (part: DocumentPart): readonly DocumentPart[] =>
    part.get("servers")?.items() ?? [];
  const owner = [document, ...paths].find((part) => serversOf(part).length > 0);
  return owner === undefined ? [] : serversOf(owner);
}

/**
 * Returns the server of a path or an operation, which can be another one than
 * the document's. An address that RIDL cannot say is noted.
 */
export function serverOf(
  part: DocumentPart,
  server: Server,
  notes: NoteLog,
): Server {
  const written = part.get("servers");
  const [first] = written?.items() ?? [];
  if (written === null || first === undefined) return server;
  if (first.textOf("url") === server.url) return server;
  const own = toServer(first, notes);
  if (own.base !== null || own.host === server.host) return own;
  const message = `RIDL has no address \`${own.url ?? ""}\``;
  notes.add("wire", written, message, "the document's server is used");
  return server;
}

/** Reads the first server. Its path becomes part of each method's path. */
export function readServer(
  document: DocumentPart,
  library: DocumentFiles,
  notes: NoteLog,
): Server {
  const [first, ...others] = findServers(document, library);
  for (const other of others) {
    notes.add("advice", other, "RIDL has one server", "the first one is used");
  }
  if (first === undefined) {
    return { url: null, host: "", base: null, prefix: "", docs: [] };
  }
  return toServer(first, notes);
}

/** Returns an address whose scheme is not a variable, if a default has it. */
function withScheme(part: DocumentPart, notes: NoteLog): string {
  const url = part.textOf("url") ?? "";
  const [variable, name = ""] = /^\{([^{}]*)\}/u.exec(url) ?? [];
  const value = part.get("variables")?.get(name)?.textOf("default") ?? null;
  if (variable === undefined || value === null) return url;
  const full = value + url.slice(variable.length);
  if (!/^https?:\/\//iu.test(full)) return url;
  const message = `the address begins with the variable \`${name}\``;
  notes.add("advice", part, message, `it is \`${value}\``);
  return full;
}

function toServer(part: DocumentPart, notes: NoteLog): Server {
  noteKeywords(part, "server", notes);
  const url = withScheme(part, notes);
  const [, host = "", path = ""] =
    /^([A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*)?([^?#]*)/u.exec(url) ?? [];
  const variables = part.get("variables");
  const prefix = path.replace(/\{([^{}]*)\}/gu, (written, name: string) => {
    const value = variables?.get(name)?.textOf("default") ?? null;
    const message = `RIDL has no variable \`${name}\` in the path of a server`;
    if (value === null) return written;
    notes.add("wire", part, message, `it is \`${value}\``);
    return value;
  });
  const isPath = /^(?:\/[A-Za-z0-9._~-]+)*\/?$/u.test(prefix);
  if (!isPath) {
    const message = `RIDL cannot say the server's path \`${prefix}\``;
    notes.add("wire", part, message, "it is left out");
  }
  const base = host.replace(/\{[^{}]*\}|[^{}]+/gu, (text) =>
    text.startsWith("{")
      ? `{${toFieldName(text.slice(1, -1))}}`
      : text.toLowerCase(),
  );
  return {
    url: part.textOf("url"),
    host,
    base: /^https?:\/\/[^\s"\\]+$/iu.test(base) ? base : null,
    prefix: isPath ? prefix.replace(/\/$/u, "") : "",
    docs: toComment(part.textOf("description") ?? "The address of the server."),
  };
}
