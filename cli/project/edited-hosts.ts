import type { LoadedDocuments } from "../../generator/1-parse/load/load-documents.js";
import { importedPaths } from "../../generator/1-parse/load/select-entries.js";
import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import type { Target } from "../../generator/4-emit/emitter/target.js";
import { completeFiles } from "../../generator/4-emit/emit.js";
import { selectTargets } from "../../generator/4-emit/select-targets.js";
import {
  createPlan,
  planContract,
} from "../../generator/4-emit/typescript/plan/create-plan.js";
import type {
  Plan,
  HostPlan,
  TypePlan,
} from "../../generator/4-emit/typescript/plan/plan.js";
import { isUnitEmitter } from "../../generator/4-emit/typescript/plan/unit-emitter.js";
import type {
  Contract,
  Host,
  Message,
  Service,
} from "../../generator/ir/contract.js";
import type { Config } from "../config/config.js";
import { topFolder } from "../system/paths.js";
import { activeFilter } from "./apply-filter.js";
import { type CompiledProject, compileProject } from "./compile-project.js";
import {
  type GeneratedFiles,
  type SeparateHosts,
  hashText,
} from "./manifest.js";
import type { Project } from "./project.js";
import type { RecordingReader } from "./recording-reader.js";

/** The changes since a run whose output has not been edited. */
export interface Edit {
  readonly separateHosts: SeparateHosts;
  /** Hashes of all files, by path. */
  readonly files: ReadonlyMap<string, string>;
  /** Paths of the documents that changed. */
  readonly changed: readonly string[];
}

/**
 * Generates only the files of the hosts whose documents changed. Returns null
 * if other files may also have to change, or if there is a diagnostic, because
 * it may concern any document.
 */
export async function generateEditedHosts(
  { changed, files, separateHosts }: Edit,
  project: Project,
  reader: RecordingReader,
): Promise<GeneratedFiles | null> {
  const { documents: known } = separateHosts;
  const digests = changed.map((path) => known.get(path)?.digest ?? null);
  if (digests.includes(null)) return null;
  const { value, diagnostics } = await compileProject(project, changed, reader);
  if (value === null || diagnostics.length > 0) return null;
  const { config } = project;
  const plan = planAmongOthers(value.contract, config.options, separateHosts);
  const found = hashHosts(plan, value.documents);
  if (changed.some((path, at) => found.get(path) !== digests[at])) return null;
  const units = plan.hosts.flatMap(({ host, unit }) =>
    changed.includes(host.document) ? unit : [],
  );
  const targets = await selectTargets(config.targets, value.contract);
  const emitted = targets
    .filter(isUnitEmitter)
    .flatMap((each) => units.flatMap((unit) => each.emitUnit(plan, unit)));
  const folders = new Set(units.map(({ folder }) => folder));
  return {
    files: completeFiles(emitted, config.options, {
      runtimeSources: new Map(),
    }),
    kept: new Map([...files].filter(([path]) => !folders.has(topFolder(path)))),
    separateHosts,
  };
}

/**
 * Describes what a later run needs to generate only the files of an edited
 * host. Returns null if there is only one host, or if the files of hosts depend
 * on each other. That is the case with clashing names, targets that use the
 * whole contract, the setting `skew`, replaced templates, lint rules set to
 * `error`, a filter, declaration maps, which contain line numbers of all
 * documents, or a copied runtime, which contains only the files that some host
 * needs.
 */
export function describeHosts(
  { contract, documents }: CompiledProject,
  {
    declarationMaps,
    emitterModules,
    filter,
    lint,
    options,
    skew,
    templates,
  }: Config,
  targets: readonly Target[],
): SeparateHosts | null {
  const isBound =
    contract.hosts.length < 2 ||
    declarationMaps ||
    emitterModules.length > 0 ||
    templates !== null ||
    // Digests cover the whole contract.
    skew !== null ||
    !targets.every(isUnitEmitter) ||
    options.runtime === "copy" ||
    activeFilter(filter) !== null ||
    Object.values(lint.rules).includes("error");
  if (isBound) return null;
  const plan = createPlan(contract, options);
  if (plan.names.hasClashes) return null;
  const digests = hashHosts(plan, documents);
  return {
    repeatedMethods: plan.names.repeated,
    documents: new Map(
      plan.hosts.map(({ host: { document, name } }) => [
        document,
        { name, digest: digests.get(document) ?? null },
      ]),
    ),
  };
}

/** Plans part of a contract. Other hosts are included without services. */
function planAmongOthers(
  contract: Contract,
  options: EmitOptions,
  { documents, repeatedMethods }: SeparateHosts,
): Plan {
  const own = new Map(contract.hosts.map((host) => [host.document, host]));
  const all = [...documents].map(
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
        errorBody: null,
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
