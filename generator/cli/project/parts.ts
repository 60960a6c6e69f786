import type { LoadedDocuments } from "../../1-parse/load/load-documents.js";
import type { EmitOptions } from "../../4-emit/emitter/emitter.js";
import { planContract } from "../../4-emit/typescript/plan/create-plan.js";
import type { Plan, UnitPlan } from "../../4-emit/typescript/plan/plan.js";
import type { Contract, Host } from "../../ir/contract.js";
import type { Config } from "../config/config.js";
import { topFolder } from "../system/paths.js";
import { activeFilter } from "./active-filter.js";
import { hashHosts } from "./host-digest.js";
import type { HostPart, Parts } from "./manifest.js";

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
 * a copied runtime, which has only the files that some host needs.
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

/**
 * Returns the files of other units, except files that are generated from the
 * whole contract.
 */
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
      },
  );
  const part = { ...contract, hosts: all };
  return planContract(part, options, repeatedMethods);
}
