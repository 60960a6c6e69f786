import { noteKeywords } from "../notes/note-keywords.js";
import type { ObjectKind } from "../notes/keywords.js";
import type { NoteLog } from "../notes/note.js";
import type { Library } from "../read/library.js";
import type { DocumentPart } from "../read/document-part.js";
import { toComment } from "../model/comments.js";
import { CredentialMapper } from "./credentials.js";
import { ErrorMapper } from "./errors.js";
import { gatherAliases } from "./types/gather-aliases.js";
import { nameMethod } from "./method-names.js";
import { mapMethod, type MethodContext } from "./methods.js";
import {
  verbs,
  type Model,
  type ModelMethod,
  type ModelService,
} from "../model/model.js";
import {
  NameScope,
  toPascal,
  toSingular,
  toTypeName,
  wordsOf,
} from "../model/names.js";
import { readServer, serverOf } from "./server.js";
import { TypeMapper } from "./types/type-mapper.js";

/** Maps an OpenAPI document to a RIDL document. */
export function mapDocument(
  document: DocumentPart,
  library: Library,
  notes: NoteLog,
): Model {
  const types = new TypeMapper(document, library, notes);
  const errors = new ErrorMapper(types);
  const credentials = new CredentialMapper(document, types, errors);
  noteDocument(document, notes);
  const server = readServer(document, notes);
  const schemas = document.get("components")?.get("schemas")?.entries() ?? [];
  types.reserve(schemas);
  const services = mapServices(document, library, {
    types,
    errors,
    credentials,
    server,
    security: document.get("security"),
  });
  for (const schema of schemas) {
    if (library.resolve(schema)?.id !== schema.id) continue;
    types.declare(schema, "Type");
  }
  credentials.declare();
  errors.declareData(services);
  const info = document.get("info");
  const title = info?.textOf("title") ?? "";
  const docs = toComment(
    info?.textOf("description") ?? info?.textOf("summary") ?? null,
  );
  if (server.base !== null) {
    const metadata = [{ key: "base", value: server.base }];
    const hint = `${toTypeName(toPascal(title), "Api")}Url`;
    const name = types.declareAlias(document, hint, {
      type: "string",
      metadata,
    });
    const alias = types.find(name);
    if (alias) alias.docs = server.docs;
  }
  return {
    docs,
    name: wordsOf(title).join("-").toLowerCase() || "api",
    version: versionOf(info),
    basePath: null,
    types: gatherAliases(types.types, types.names),
    errors: errors.errors.toSorted(
      (a, b) => a.status - b.status || a.code - b.code,
    ),
    services,
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

/** Maps operations to the methods of services, by their first tags. */
function mapServices(
  document: DocumentPart,
  library: Library,
  context: MethodContext,
): readonly ModelService[] {
  const groups = new Map<
    string,
    { readonly tag: string; methods: ModelMethod[]; names: NameScope }
  >();
  const { notes } = context.types;
  const used = new NameScope();
  for (const path of document.get("paths")?.entries() ?? []) {
    if (path.key.startsWith("x-")) continue;
    const item = library.resolve(path);
    if (item === null) continue;
    noteKeywords(item, "pathItem", notes);
    const pathServer = serverOf(item, context.server, notes);
    for (const verb of verbs) {
      const written = item.get(verb);
      // Some documents have a file for each operation.
      const part = written && library.resolve(written);
      if (part?.node.kind !== "map") continue;
      const server = serverOf(part, pathServer, notes);
      const tag = part.get("tags")?.items()[0]?.text ?? groupOf(path.key);
      const service = toTypeName(tag, "Service");
      const key = service.toLowerCase();
      const group = groups.get(key) ?? {
        tag,
        methods: [],
        names: new NameScope(),
      };
      groups.set(key, group);
      const operationId = part.textOf("operationId");
      const wished = nameMethod({ verb, path: path.key, operationId }, service);
      const isReserved = /^(?:stream|proxy)$/iu.test(wished);
      const name = group.names.take(isReserved ? `Call${wished}` : wished);
      group.methods.push(
        mapMethod(
          { part, path, verb, name, hint: nameHint(name, service, used) },
          { ...context, server },
        ),
      );
    }
  }
  const tags = document.get("tags")?.items() ?? [];
  return Array.from(groups.values(), ({ tag, methods }) => {
    const declared = tags.find((each) => each.textOf("name") === tag);
    const text = declared?.textOf("description") ?? declared?.textOf("summary");
    return {
      name: toTypeName(tag, "Service"),
      docs: toComment(text ?? null),
      methods,
    };
  });
}

/** The begin of the names of a method's types: `CreateOrder`. */
function nameHint(name: string, service: string, used: NameScope): string {
  const hint = used.has(name) ? toSingular(service) + name : name;
  return used.take(hint);
}

/** Names the service of an operation without tags after its path. */
function groupOf(path: string): string {
  const segments = path.split(/[/?]/u).filter((each) => each !== "");
  const isVersion = (each: string): boolean =>
    /^(?:api|rest|v\d.*)$/iu.test(each);
  const found = segments.find(
    (each) => !each.startsWith("{") && !isVersion(each),
  );
  return found ?? "Api";
}
