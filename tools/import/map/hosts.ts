import type { NoteLog } from "../notes/note.js";
import { noteKeywords } from "../notes/note-keywords.js";
import type { DocumentPart } from "../read/document-part.js";
import { toComment } from "../model/comments.js";
import { nameMethod } from "./method-names.js";
import {
  type FoundOperation,
  mapMethod,
  type MethodContext,
} from "./methods.js";
import {
  type ModelHost,
  type ModelMethod,
  sharedSuffix,
} from "../model/model.js";
import {
  NameScope,
  toPascal,
  toSingular,
  toTypeName,
  wordsOf,
} from "../model/names.js";
import { type Server, serverOf } from "./server.js";
import { isRepeated } from "./repeated-operations.js";
import { pathsIn } from "../read/operations.js";

/** The services at one address. */
export type MappedHost = Omit<ModelHost, "base"> & { readonly server: Server };

/** The methods of a service. */
interface Group {
  readonly tag: string;
  readonly methods: ModelMethod[];
  readonly names: NameScope;
}

/** The services at one address, by their names in lowercase. */
interface HostGroup {
  readonly server: Server;
  readonly groups: Map<string, Group>;
}

/**
 * Maps operations to the methods of services, by their servers and first tags.
 * All services have other names, and so have all hosts.
 */
export function mapHosts(
  document: DocumentPart,
  context: MethodContext,
): readonly MappedHost[] {
  const tags = document.get("tags")?.items() ?? [];
  const suffixes = new NameScope();
  suffixes.take(sharedSuffix);
  const names = new NameScope();
  const [first, ...others] = groupMethods(document, context);
  if (first === undefined) return [];
  const nameHost = (
    { groups, server }: HostGroup,
    suffix: string,
  ): MappedHost => {
    const services = Array.from(groups.values(), ({ tag, methods }) => {
      const part = tags.find((each) => each.textOf("name") === tag);
      const text = part?.textOf("description") ?? part?.textOf("summary");
      const name = nameService(tag);
      const own = names.has(name) ? name + toPascal(suffix) : name;
      return { name: names.take(own), docs: toComment(text ?? null), methods };
    });
    return { server, suffix, services };
  };
  return [
    nameHost(first, ""),
    ...others.map((host) => {
      const label = labelOf(host.server, first.server);
      return nameHost(host, suffixes.take(label ?? "host"));
    }),
  ];
}

/** Returns the first part of an address that another one does not have. */
function labelOf(server: Server, other: Server): string | undefined {
  const labelsOf = ({ host }: Server): readonly string[] =>
    host
      .replace(/^.*\/\//u, "")
      .split(/[.:]/u)
      // The name of a file is not arbitrarily long.
      .map((label) => wordsOf(label.slice(0, 63)).join("-").toLowerCase());
  const known = ["", ...labelsOf(other)];
  return labelsOf(server).find((label) => !known.includes(label));
}

/** Groups methods by their servers, the first of which is the document's. */
function groupMethods(
  document: DocumentPart,
  context: MethodContext,
): readonly HostGroup[] {
  const hosts = new Map<string, HostGroup>();
  const hostOf = (server: Server): HostGroup => {
    const key = server.base ?? "";
    const host = hosts.get(key) ?? { server, groups: new Map() };
    hosts.set(key, host);
    return host;
  };
  hostOf(context.server);
  const used = new NameScope();
  for (const operation of operationsOf(document, context)) {
    const { part, path, server, verb } = operation;
    const tag = part.get("tags")?.items()[0]?.text ?? groupOf(path.key);
    const service = nameService(tag);
    const { groups } = hostOf(server);
    const key = service.toLowerCase();
    const group = groups.get(key) ?? {
      tag,
      methods: [],
      names: new NameScope(),
    };
    groups.set(key, group);
    const id = part.textOf("operationId");
    // springdoc numbers the IDs of methods with equal names.
    const operationId = controller.test(tag)
      ? (id?.replace(/_\d+$/u, "") ?? null)
      : id;
    const wished = nameMethod({ verb, path: path.key, operationId }, service);
    const isReserved = /^(?:stream|proxy)$/iu.test(wished);
    const name = group.names.take(isReserved ? `Call${wished}` : wished);
    const hint = nameHint(name, service, used);
    const own = { ...context, server };
    group.methods.push(mapMethod({ part, path, verb, name, hint }, own));
  }
  return [...hosts.values()].filter(({ groups }) => groups.size > 0);
}

/** The tag that springdoc gives to the operations of a class. */
const controller = /(?<=.)-controller$/u;

function nameService(tag: string): string {
  return toTypeName(tag.replace(controller, ""), "Service");
}

/** An operation with its server. */
interface ServedOperation extends FoundOperation {
  readonly server: Server;
}

/**
 * Notes what is lost because OpenAPI gives it no meaning: keys beside the `$ref` of
 * a path, and a `$ref` of all paths.
 */
function noteBesideRef(path: DocumentPart, notes: NoteLog): void {
  const isUnknown = path.key === "$ref";
  const beside = path.get("$ref") === null ? [] : path.entries();
  const lost = beside.filter(
    ({ key }) => !/^(?:\$ref|summary|description|x-.*)$/u.test(key),
  );
  for (const part of isUnknown ? [path] : lost) {
    const message = isUnknown
      ? "`paths` has no `$ref`"
      : `\`${part.key}\` beside a \`$ref\` has no meaning`;
    notes.add("wire", part, message, "it is left out");
  }
}

/** Returns the operations of a document that become methods. */
function operationsOf(
  document: DocumentPart,
  { server, types: { library, notes } }: MethodContext,
): readonly ServedOperation[] {
  return pathsIn(document, library).flatMap(({ path, item, operations }) => {
    noteBesideRef(path, notes);
    noteKeywords(item, "pathItem", notes);
    const pathServer = serverOf(item, server, notes);
    return operations.flatMap(({ part, verb }): readonly ServedOperation[] => {
      const operation = { path, verb, part };
      if (isRepeated(operation, document, library, notes)) return [];
      return [{ ...operation, server: serverOf(part, pathServer, notes) }];
    });
  });
}

/** The begin of the names of a method's types: `CreateOrder`. */
export function nameHint(
  name: string,
  service: string,
  used: NameScope,
): string {
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
