import {
  loadDocuments,
  type LoadedDocuments,
} from "../../1-parse/load/load-documents.js";
import { emitContract } from "../../4-emit/emit.js";
import type { OutputFile } from "../../4-emit/emitter/emitter.js";
import { createLayout } from "../../4-emit/typescript/plan/layout.js";
import { outlineHosts } from "../../4-emit/typescript/outline.js";
import { compileDocuments } from "../../compile.js";
import type { Contract, Host } from "../../ir/contract.js";
import { withoutAdvice } from "../../lint/index.js";
import type { HostPart, Parts } from "./manifest.js";
import { hashText } from "./manifest.js";
import { importedPaths } from "./entries.js";
import type { Project } from "./project.js";
import type { RecordingReader } from "./recording-reader.js";
import { selectTargets } from "./targets.js";

/**
 * What the next run needs to know to make the files of one host alone.
 *
 * Input: a contract without a fault, all of whose files are made by emitters
 * that work host by host. Output: null where names or rules of the project
 * tie the hosts together.
 */
export function describeParts(
  { config }: Project,
  contract: Contract,
  documents: LoadedDocuments,
): Parts | null {
  const { names } = createLayout(contract, config.options);
  const isBound = Object.values(config.lint.rules).includes("error");
  if (isBound || names.hasClashes || contract.hosts.length < 2) return null;
  const outlines = hashOutlines(contract, config, documents);
  const hosts = contract.hosts.map((host): [string, HostPart] => [
    host.document,
    {
      name: host.name,
      folder: names.host(host).folder,
      outline: outlines.get(host.document) ?? "",
    },
  ]);
  return { repeatedNames: names.repeated, hosts: new Map(hosts) };
}

/**
 * Makes the files of the hosts whose documents changed, as a run over the
 * whole contract would make them.
 *
 * Input: what is known of all hosts; paths of the changed documents.
 * Output: their files, by the folder of the host; null when more than these
 * files may have to change, or somebody has to be told of a fault.
 */
export function generateParts(
  { config }: Project,
  reader: RecordingReader,
  parts: Parts,
  changed: readonly string[],
): ReadonlyMap<string, readonly OutputFile[]> | null {
  const { emit, lint, options } = config;
  const known = changed.flatMap((path) => parts.hosts.get(path) ?? []);
  if (known.length < changed.length) return null;

  const documents = loadDocuments(changed, reader);
  const { value, diagnostics } = compileDocuments(
    changed,
    documents,
    withoutAdvice(lint),
  );
  if (value === null || diagnostics.length > 0) return null;
  const contract = amongOthers(value, parts);
  const outlines = hashOutlines(contract, config, documents);
  const isSame = (part: HostPart, index: number): boolean =>
    outlines.get(changed[index] ?? "") === part.outline;
  if (!known.every(isSame)) return null;

  const chosen = selectTargets(emit, options);
  const whole = chosen.filter(({ isByHost }) => isByHost !== true);
  if (whole.some((each) => each.emit(contract, options).length > 0))
    return null;
  const byHost = chosen.filter(({ isByHost }) => isByHost === true);
  const files = emitContract(contract, byHost, options, {
    runtimeSources: new Map(),
  });
  return new Map(
    known.map(({ folder }) => [
      folder,
      files.filter(({ path }) => path.startsWith(`${folder}/`)),
    ]),
  );
}

/** The contract as a part of the whole: other hosts without their services. */
function amongOthers(contract: Contract, parts: Parts): Contract {
  const own = new Map(contract.hosts.map((host) => [host.document, host]));
  const hosts = [...parts.hosts].map(
    ([document, { name }]): Host =>
      own.get(document) ?? {
        kind: "host",
        name,
        document,
        version: null,
        docs: { lines: [], origins: [] },
        basePath: { text: "/", segments: [] },
        baseUrl: null,
        services: [],
      },
  );
  return { ...contract, hosts, repeatedNames: parts.repeatedNames };
}

/**
 * Hash of the outline of each host, by its document, with what the document
 * says to others besides types and services. None for a document that others
 * import: it is more than its host.
 */
function hashOutlines(
  contract: Contract,
  { options }: Project["config"],
  documents: LoadedDocuments,
): ReadonlyMap<string, string> {
  const imported = importedPaths(documents);
  const outlines = outlineHosts(contract, options);
  return new Map(
    contract.hosts.flatMap((host): [string, string][] => {
      const document = documents.get(host.document);
      if (!document || imported.has(host.document)) return [];
      const said = document.syntax.items.filter(({ kind }) =>
        ["header", "import", "error"].includes(kind),
      );
      const text = JSON.stringify([said, outlines.get(host)], withoutPlaces);
      return [[host.document, hashText(text)]];
    }),
  );
}

/** Where something stands says nothing to others. */
function withoutPlaces(key: string, value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  return key === "span" ? undefined : value;
}
