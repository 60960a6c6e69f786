import type { LoadedDocuments } from "../../1-parse/load/load-documents.js";
import type { EmitOptions } from "../../4-emit/emitter/emitter.js";
import { planContract } from "../../4-emit/typescript/plan/create-plan.js";
import type {
  Plan,
  UnitPlan,
  HostPlan,
  TypePlan,
} from "../../4-emit/typescript/plan/plan.js";
import type { Contract, Host, Message, Service } from "../../ir/contract.js";
import type { Config } from "../config/config.js";
import { topFolder } from "../system/paths.js";
import { activeFilter } from "./apply-filter.js";
import { type HostPart, type Parts, hashText } from "./manifest.js";
import { importedPaths } from "../../1-parse/load/select-entries.js";

/** The changes since a run whose output has not been edited. */
export interface Edit {
  readonly parts: Parts;
  /** Hashes of all files, by path. */
  readonly files: ReadonlyMap<string, string>;
  /** Paths of the documents that changed. */
  readonly changed: readonly string[];
}

/** The parts that describe how files were generated. */
type GenerationParts = Pick<Parts, "targets" | "whole">;

/**
 * Describes what the next run needs to regenerate a single host.
 * Returns null if there is only one host, or if hosts depend on each other.
 * That is the case with clashing names, lint rules set to `error`, a filter, or
 * a copied runtime, which contains only the files that some host needs.
 */
export function describeParts(
  plan: Plan,
  { filter, lint }: Config,
  documents: LoadedDocuments,
  making: GenerationParts,
): Parts | null {
  const { contract, names, options } = plan;
  const isBound =
    names.hasClashes ||
    options.runtime === "copy" ||
    activeFilter(filter) !== null ||
    Object.values(lint.rules).includes("error");
  if (isBound || contract.hosts.length < 2) return null;
  const digests = hashHosts(plan, documents);
  const hosts = plan.hosts.map(({ host, unit }): [string, HostPart] => [
    host.document,
    {
      name: host.name,
      folder: unit.folder,
      digest: digests.get(host.document) ?? null,
    },
  ]);
  return {
    ...making,
    repeatedMethods: names.repeated,
    hosts: new Map(hosts),
  };
}

/**
 * Returns the units of the hosts whose documents changed, or null if other
 * files may also have to change.
 */
export function findEditedUnits(
  { changed, parts }: Edit,
  { documents, plan }: { documents: LoadedDocuments; plan: Plan },
): readonly UnitPlan[] | null {
  const digests = hashHosts(plan, documents);
  const units = plan.hosts.flatMap(({ host: { document }, unit }) => {
    const digest = parts.hosts.get(document)?.digest ?? null;
    const isSame = digest !== null && digests.get(document) === digest;
    return isSame && changed.includes(document) ? unit : [];
  });
  return units.length === changed.length ? units : null;
}

/** Returns files of other units, except those that use the whole contract. */
export function otherUnitFiles(
  { files, parts }: Edit,
  units: readonly UnitPlan[],
): ReadonlyMap<string, string> {
  const made = new Set(units.map(({ folder }) => folder));
  const whole = new Set(parts.whole);
  return new Map(
    [...files].filter(
      ([path]) => !made.has(topFolder(path)) && !whole.has(path),
    ),
  );
}

/** Plans part of a contract. Other hosts are included without services. */
export function planAmongOthers(
  contract: Contract,
  options: EmitOptions,
  { hosts, repeatedMethods }: Parts,
): Plan {
  const own = new Map(contract.hosts.map((host) => [host.document, host]));
  const all = [...hosts].map(
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
        errors: [],
        validationError: "",
      },
  );
  const part = { ...contract, hosts: all };
  return planContract(part, options, repeatedMethods);
}

/**
 * Hashes what connects each host with the rest of the contract. A digest covers
 * everything that files outside the host's folder depend on, and everything
 * that its own files use from elsewhere: names, the table of methods, errors,
 * credentials, and which shared types it uses and how. It excludes the fields,
 * limits, values and comments of declarations in the host's document.
 *
 * While the digest stays the same, a change to the host affects only files in
 * its folder.
 * Returns digests by document. A document that others import has no digest,
 * because it contains more than its host. A document that is not loaded has no
 * digest either.
 */
function hashHosts(
  plan: Plan,
  documents: LoadedDocuments,
): ReadonlyMap<string, string> {
  const imported = importedPaths(documents);
  const { credentials } = plan.contract;
  const shared = [...plan.root.types].sort((left, right) =>
    left.name < right.name ? -1 : 1,
  );
  return new Map(
    plan.hosts.flatMap((host): [string, string][] => {
      const path = host.host.document;
      const document = documents.get(path);
      if (!document || imported.has(path)) return [];
      const visibleItems = document.syntax.items.filter(({ kind }) =>
        ["header", "import", "error"].includes(kind),
      );
      const shown = [visibleItems, credentials, factsOf(host, shared)];
      return [[path, hashText(JSON.stringify(shown, withoutPlaces))]];
    }),
  );
}

function factsOf(
  { exact, host, needed, reached, unit }: HostPlan,
  shared: readonly TypePlan[],
): unknown {
  const isNeeded = Object.values(needed).map(
    (objects) => new Set([...objects].map(({ name }) => name)),
  );
  return {
    host: { ...host, services: host.services.map(withoutInsides) },
    exact,
    types: unit.types.map(({ kind, schemaName }) => [kind, schemaName]),
    // The parts of root files that exist because of this host.
    shared: shared
      .filter(({ schemaName }) => reached.has(schemaName))
      .map(({ name }) => [name, isNeeded.map((names) => names.has(name))]),
  };
}

function withoutInsides({ methods, ...service }: Service): unknown {
  const messageOf = ({ fields, ...message }: Message): unknown => ({
    ...message,
    isEmpty: fields.length === 0,
  });
  return {
    ...service,
    methods: methods.map(({ docs: _, request, response, ...method }) => ({
      ...method,
      request: messageOf(request),
      response: messageOf(response),
    })),
  };
}

/** Omits spans, because other files do not depend on positions. */
function withoutPlaces(key: string, value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  return key === "span" ? undefined : value;
}
