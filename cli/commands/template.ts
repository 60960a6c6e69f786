import { posix } from "node:path/posix";
import { escapeInJson } from "../../generator/4-emit/emitter/invisible.js";
import type { TemplateSet } from "../../generator/4-emit/emitter/emitter.js";
import { loadOwnSets } from "../../generator/4-emit/templates/own-sets.js";
import {
  findOwnSet,
  nameOfTemplate,
  ownFiles,
  templateExtension,
} from "../../generator/4-emit/templates/template-set.js";
import {
  createContractView,
  createHostView,
} from "../../generator/4-emit/view/create-view.js";
import { settleNames } from "../../generator/4-emit/view/settle-names.js";
import type { Diagnosed } from "../../generator/diagnostics/diagnostic.js";
import { suggestHelp } from "../../generator/diagnostics/suggest.js";
import type { Source } from "../../generator/source/source.js";
import { type Config, isPath, isTemplateFolder } from "../config/config.js";
import { readSkew } from "../project/compile-project.js";
import { findConfig, openProject } from "../project/project.js";
import type { ProjectFlags } from "../project/project.js";
import {
  createRecordingReader,
  type RecordingReader,
} from "../project/recording-reader.js";
import {
  filesOfListed,
  noteOf,
  readListedSet,
  readReplacedSets,
} from "../project/template-sets.js";
import { rebaseDiagnostics } from "../report/rebase.js";
import { hasErrors, report } from "../report/report.js";
import { exitCodes } from "../system/exit-codes.js";
import { resolvePath } from "../system/paths.js";
import { type System, UsageError } from "../system/system.js";
import { withContract } from "./with-contract.js";

/** Flags of `ridl template`. */
export interface TemplateFlags extends ProjectFlags {
  /** For `view`: the set whose names are used. */
  readonly set?: string;
}

/**
 * `ridl template`: prints the view of a contract, lists ridlkit's templates, or
 * copies one of them into the folder that `templates` names.
 *
 * Errors: a {@link UsageError} for an unknown action or name.
 */
export async function template(
  [action = "", ...names]: readonly string[],
  flags: TemplateFlags,
  system: System,
): Promise<number> {
  switch (action) {
    case "view":
      return printView(names, flags, system);
    case "list":
      return listTemplates(system);
    case "copy":
      return copyTemplate(names, flags, system);
  }
  throw new UsageError(
    `there is no action \`${action}\``,
    suggestHelp(action, actions).help ?? "the actions are view, list and copy",
  );
}

const actions = ["view", "list", "copy"];

async function printView(
  [name]: readonly string[],
  flags: TemplateFlags,
  system: System,
): Promise<number> {
  return withContract([], flags, "text", system, async (opened) => {
    const { contract, diagnostics, project, reader } = opened;
    const { value: set, diagnostics: faults } = await readSet(
      flags.set,
      project.config,
      reader,
    );
    const { value: known, diagnostics: stale } = await readSkew(
      project.config,
      opened,
      reader,
    );
    const found = [
      ...diagnostics,
      ...rebaseDiagnostics([...faults, ...stale], project, system),
    ];
    report(found, "text", system);
    if (hasErrors(found)) return exitCodes.failure;
    const { hosts } = contract;
    const host = hosts.find((each) => each.name === name);
    if (name !== undefined && host === undefined) {
      const names = hosts.map((each) => each.name);
      throw new UsageError(
        `there is no host \`${name}\``,
        suggestHelp(name, names).help ?? `the hosts are ${names.join(", ")}`,
      );
    }
    const options = {
      ...known,
      ...(set && { names: settleNames(contract, set.rules) }),
    };
    const view =
      host === undefined
        ? createContractView(contract, options)
        : createHostView(contract, host, options);
    system.stdout.write(escapeInJson(`${JSON.stringify(view, null, 2)}\n`));
    return exitCodes.success;
  });
}

/**
 * Reads one of ridlkit's sets, with the project's replacements, or a set that the
 * project lists. Returns null without a name.
 * Errors: those of `readReplacedSets` and `readListedSet`; a {@link UsageError}
 * for an unknown name.
 */
async function readSet(
  name: string | undefined,
  config: Config,
  reader: RecordingReader,
): Promise<Diagnosed<TemplateSet | null>> {
  if (name === undefined) return { value: null, diagnostics: [] };
  const listed = config.emitterModules.filter(isTemplateFolder);
  const module = listed.find((each) => each.name === name);
  if (module !== undefined) return readListedSet(module, config, reader);
  const ownSets = await loadOwnSets();
  const own = ownSets.get(name);
  if (own === undefined) {
    const known = [...ownSets.keys(), ...listed.map((each) => each.name)];
    throw unknownSet(name, known);
  }
  const { value: replaced, diagnostics } = readReplacedSets(
    config,
    reader,
    ownSets,
  );
  return { value: replaced.get(name) ?? findOwnSet(own), diagnostics };
}

function unknownSet(name: string, known: readonly string[]): UsageError {
  return new UsageError(
    `there is no template set \`${name}\``,
    suggestHelp(name, known).help ?? `the sets are ${known.join(", ")}`,
  );
}

async function listTemplates(system: System): Promise<number> {
  for (const set of (await loadOwnSets()).values()) {
    for (const name of namesIn(ownFiles(set))) {
      system.stdout.write(`${set.name} ${name}\n`);
    }
  }
  return exitCodes.success;
}

async function copyTemplate(
  [setName = "", name = "", ...others]: readonly string[],
  flags: ProjectFlags,
  system: System,
): Promise<number> {
  if (others.length > 0) {
    throw new UsageError(
      "one template is copied at a time",
      "write a set and a template, as in `ridl template copy markdown method`",
    );
  }
  const file = findConfig(flags, system);
  const { value: project, diagnostics } = await openProject(
    [],
    flags,
    system,
    file,
  );
  if (project === null) {
    report(diagnostics, "text", system);
    return exitCodes.failure;
  }
  const { config } = project;
  const files = await filesOf(
    setName,
    config,
    createRecordingReader(project, system),
  );
  const isTemplate = files.has(name + templateExtension);
  const own = isTemplate ? name + templateExtension : name;
  const text = files.get(own)?.text;
  if (text === undefined) {
    throw new UsageError(
      `\`${setName}\` has no template \`${name}\``,
      suggestHelp(name, namesIn(files)).help ??
        "`ridl template list` lists all templates",
    );
  }
  const folder = config.templates?.path ?? "templates";
  const path = posix.join(folder, setName, own);
  const place = resolvePath(file.root, path);
  if (system.readText(place) !== null) {
    system.stderr.write(`error: \`${path}\` already exists\n`);
    return exitCodes.failure;
  }
  system.createText(place, (isTemplate ? noteOf(text) : "") + text);
  system.stdout.write(`create ${path}\n`);
  if (config.templates === null) {
    system.stdout.write(
      `\nAdd to the configuration:\n  templates: ${folder}\n`,
    );
  }
  return exitCodes.success;
}

/** Lists the files of a set, templates without their extension. */
function namesIn(files: ReadonlyMap<string, unknown>): readonly string[] {
  return Array.from(files.keys(), nameOfTemplate);
}

/** Returns the files of one of ridlkit's sets or of a listed package, by path. */
async function filesOf(
  name: string,
  { emitterModules }: Config,
  reader: RecordingReader,
): Promise<ReadonlyMap<string, Source>> {
  const ownSets = await loadOwnSets();
  const own = ownSets.get(name);
  if (own !== undefined) return ownFiles(own);
  const listed = emitterModules.filter(
    (each) => isTemplateFolder(each) && !isPath(each.name),
  );
  const module = listed.find((each) => each.name === name);
  if (module !== undefined) return filesOfListed(module, reader);
  const known = [...ownSets.keys(), ...listed.map((each) => each.name)];
  throw unknownSet(name, known);
}
