import { noteKeywords } from "../notes/note-keywords.js";
import type { ObjectKind } from "../notes/keywords.js";
import type { NoteLog } from "../notes/note.js";
import type { DocumentFiles } from "../read/document-files.js";
import type { DocumentPart } from "../read/document-part.js";
import { toComment } from "../model/comments.js";
import { CredentialMapper } from "./credentials.js";
import { ErrorMapper } from "./errors.js";
import { gatherAliases } from "./types/gather-aliases.js";
import { mapHosts } from "./hosts.js";
import type { Model } from "../model/model.js";
import { toPascal, toTypeName, wordsOf } from "../model/names.js";
import { readServer, type Server } from "./server.js";
import { TypeMapper } from "./types/type-mapper.js";

/** Maps an OpenAPI document to a RIDL document. */
export function mapDocument(
  document: DocumentPart,
  library: DocumentFiles,
  notes: NoteLog,
): Model {
  const types = new TypeMapper(document, library, notes);
  const errors = new ErrorMapper(types);
  const credentials = new CredentialMapper(document, types, errors);
  noteDocument(document, notes);
  const schemas = document.get("components")?.get("schemas")?.entries() ?? [];
  types.reserve(schemas);
  const hosts = mapHosts(document, {
    types,
    errors,
    credentials,
    server: readServer(document, library, notes),
    security: document.get("security"),
  });
  for (const schema of schemas) {
    if (library.resolve(schema)?.id !== schema.id) continue;
    types.declare(schema, "Type");
  }
  credentials.declare();
  errors.declareData(hosts.flatMap(({ services }) => services));
  const info = document.get("info");
  const title = info?.textOf("title") ?? "";
  const docs = toComment(
    info?.textOf("description") ?? info?.textOf("summary") ?? null,
  );
  const declareBase = ({ base, docs }: Server, suffix: string) => {
    if (base === null) return null;
    const metadata = [{ key: "base", value: base }];
    const owner = toTypeName(toPascal(`${title} ${suffix}`), "Api");
    const hint = `${owner.replace(/Url$/u, "")}Url`;
    const alias = { type: "string", metadata };
    const name = types.declareAlias(document, hint, alias);
    const declared = types.find(name);
    if (declared) declared.docs = docs;
    return name;
  };
  const withBases = hosts.map(({ server, suffix, services }) => ({
    suffix,
    services,
    base: declareBase(server, suffix),
  }));
  return {
    docs,
    name: wordsOf(title).join("-").toLowerCase() || "api",
    version: versionOf(info),
    types: gatherAliases(types.types, types.names),
    errors: errors.errors.toSorted(
      (a, b) => a.status - b.status || a.code - b.code,
    ),
    hosts: withBases,
  };
}

function versionOf(info: DocumentPart | null): string {
  const text = (info?.textOf("version") ?? "").trim();
  if (/^v?\d+(?:\.\d+){0,2}[0-9A-Za-z.-]*$/u.test(text)) {
    return text.startsWith("v") ? text : `v${text}`;
  }
  return /^[A-Za-z0-9][A-Za-z0-9._-]*$/u.test(text) ? text : "v0.0.1";
}

/** Notes what the document itself contains that RIDL cannot say. */
function noteDocument(document: DocumentPart, notes: NoteLog): void {
  const parts: readonly (readonly [DocumentPart | null, ObjectKind])[] = [
    [document, "document"],
    [document.get("info"), "info"],
    [document.get("components"), "components"],
    ...(document.get("tags")?.items() ?? []).map(
      (tag) => [tag, "tag"] as const,
    ),
  ];
  for (const [part, kind] of parts) if (part) noteKeywords(part, kind, notes);
}
