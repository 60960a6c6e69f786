import { posix } from "node:path/posix";
import type { OutputFile } from "../../generator/4-emit/emitter/emitter.js";
import { emitContract } from "../../generator/4-emit/emit.js";
import { createPlan } from "../../generator/4-emit/typescript/plan/create-plan.js";
import type { Diagnostic } from "../../generator/diagnostics/diagnostic.js";
import {
  createHandlerFiles,
  type HandlerFile,
  type ImportForm,
  isFile,
} from "../../tools/implement/create-handler-files.js";
import type { Compiler } from "../../tools/implement/compiler.js";
import { applyEdits } from "../../tools/implement/edits.js";
import {
  type HandledService,
  listServices,
  serverPath,
} from "../../tools/implement/handler-methods.js";
import {
  implementContract,
  type ImplementPlan,
} from "../../tools/implement/implement-contract.js";
import {
  openPrograms,
  type Programs,
} from "../../tools/implement/open-programs.js";
import {
  parseRenaming,
  type Renaming,
} from "../../tools/implement/rename-methods.js";
import {
  isExpected,
  reportFault,
  reportMissing,
  reportUnhandled,
  reportUnknown,
} from "../../tools/implement/report-findings.js";
import { changeSource } from "../output/change-source.js";
import { writeDocuments } from "../output/write.js";
import { loadCompiler } from "../project/load-compiler.js";
import type { ChangedDocument } from "../project/fix-documents.js";
import type { ProjectFlags } from "../project/project.js";
import { readRuntime } from "../project/runtime-sources.js";
import { selectTargets } from "../../generator/4-emit/select-targets.js";
import { conclude, type Format } from "../report/report.js";
import {
  type AbsolutePath,
  pathFrom,
  resolvePath,
  toAbsolutePath,
} from "../system/paths.js";
import { type System, UsageError } from "../system/system.js";
import { type OpenedContract, withContract } from "./with-contract.js";

/** Flags of `ridl implement`. */
export interface ImplementFlags extends Omit<ProjectFlags, "compat"> {
  /** Where handlers of new services are written. */
  readonly out?: string;
  readonly tsconfig?: string;
  /** Each entry has the form `Old=New`. */
  readonly rename?: readonly string[];
  readonly check?: boolean;
  readonly dryRun?: boolean;
  readonly format: Format;
}

/** State that the steps of one run share. */
interface Run extends OpenedContract {
  readonly flags: ImplementFlags;
  readonly system: System;
  readonly output: ImportForm;
  readonly services: readonly HandledService[];
}

/** `ridl implement`: adds missing methods to handlers, or reports them. */
export async function implement(
  patterns: readonly string[],
  flags: ImplementFlags,
  system: System,
): Promise<number> {
  // For other commands, `--out` is the folder of the generated code.
  const { out: _, ...projectFlags } = flags;
  return withContract(patterns, projectFlags, flags.format, system, (opened) =>
    runImplement(opened, flags, system),
  );
}

async function runImplement(
  opened: OpenedContract,
  flags: ImplementFlags,
  system: System,
): Promise<number> {
  const { config, root } = opened.project;
  const { importExtension, language } = config.options;
  const isTypeScript = language !== "javascript";
  const run: Run = {
    ...opened,
    flags,
    system,
    output: {
      folder: resolvePath(root, config.out),
      ending: isTypeScript ? ".ts" : ".d.ts",
      importExtension: isTypeScript ? importExtension : ".js",
    },
    services: listServices(createPlan(opened.contract, config.options)),
  };
  const renamings = readRenamings(run);
  const code = await openCode(run);
  const plan = planChanges(run, code, renamings);
  const created = handlersToCreate(run, plan);
  const documents = changedDocuments(run, plan);
  return conclude(findingsOf(run, plan), flags.format, system, () => {
    if (flags.check === true || flags.dryRun === true) {
      return describe(run, plan, created);
    }
    writeDocuments(documents, opened.project.root, system);
    for (const { path, text } of created) {
      system.createText(toAbsolutePath(path), text);
    }
    return [
      ...describe(run, plan, created),
      ...warnExcluded(run, code, created),
    ];
  });
}

function readRenamings({ flags, services }: Run): readonly Renaming[] {
  return (flags.rename ?? []).map((text) => {
    const renaming = parseRenaming(text, services);
    if (typeof renaming === "string") throw new UsageError(renaming);
    return renaming;
  });
}

/** The project's own code, together with the generated code. */
interface ProjectCode {
  readonly compiler: Compiler;
  /** The path of `tsconfig.json`. */
  readonly configPath: AbsolutePath;
  /** Opens the programs as they are on disk now. */
  readonly open: () => Programs;
}

async function openCode(run: Run): Promise<ProjectCode> {
  const { output, project, services, system } = run;
  const configPath = findTsconfig(run);
  const loaded = loadCompiler(project.root, "implement", system);
  const files = new Map(
    (await emitFiles(run)).map(({ path, text }) => [
      posix.join(output.folder, path),
      text,
    ]),
  );
  const roots = services
    .map(({ host }) => serverPath(host, output))
    .filter((path) => files.has(path));
  return {
    compiler: loaded.compiler,
    configPath,
    open: () => openPrograms(loaded, configPath, files, roots),
  };
}

function planChanges(
  { contract, flags, output, project, services, system }: Run,
  { compiler, configPath, open }: ProjectCode,
  renamings: readonly Renaming[],
): ImplementPlan {
  const { faults, programs } = open();
  // A project without handlers may have no files yet.
  const isNew = flags.out !== undefined && faults.length === 0;
  if (programs.length === 0 && !isNew) {
    const name = showPath(configPath, system);
    throw new UsageError(
      [`\`${name}\` includes no files`, ...faults].join(": "),
      faults.length === 0
        ? "choose another one with `--tsconfig`, or create handlers with `--out <folder>`"
        : "choose another one with `--tsconfig`",
    );
  }
  const plan = implementContract({
    plan: createPlan(contract, project.config.options),
    services,
    programs,
    compiler,
    output,
    renamings,
  });
  const idle = renamings.find(
    (each) => !plan.renamed.some(({ renaming }) => renaming === each),
  );
  if (idle === undefined) return plan;
  throw new UsageError(
    `there is no handler that has \`${idle.from}\` but not \`${idle.to.title}\``,
  );
}

/** Emits the code that `ridl generate` would write, and always the server. */
async function emitFiles({
  contract,
  project: { config },
  system,
}: Run): Promise<readonly OutputFile[]> {
  const { options, targets } = config;
  const emitters = await selectTargets(
    [...targets, { name: "server" }],
    contract,
  );
  const isCopy = options.runtime === "copy";
  const runtimeSources = isCopy ? readRuntime(system, options) : new Map();
  return emitContract(contract, emitters, options, { runtimeSources });
}

function findTsconfig({ flags, project, system }: Run): AbsolutePath {
  const { tsconfig } = flags;
  const candidates =
    tsconfig === undefined
      ? ["tsconfig.json", "jsconfig.json"].map((name) =>
          resolvePath(project.root, name),
        )
      : [resolvePath(system.workingFolder, tsconfig)];
  const found = candidates.find((path) => system.readText(path) !== null);
  if (found !== undefined) return found;
  throw new UsageError(
    `there is no \`${tsconfig ?? "tsconfig.json"}\``,
    "use `--tsconfig` to choose the one that includes the handlers",
  );
}

/** Creates the files for services without handlers, at the path of `--out`. */
function handlersToCreate(
  { flags, output, system }: Run,
  { unhandled }: ImplementPlan,
): readonly HandlerFile[] {
  if (flags.out === undefined || flags.check === true) return [];
  if (flags.out === "") throw new UsageError("`--out` is empty");
  const out = resolvePath(system.workingFolder, flags.out);
  if (isFile(out) && unhandled.length > 1) {
    throw new UsageError(
      `${unhandled.length} services have no handler, but \`--out\` is a single file`,
      "use a folder",
    );
  }
  if (`${out}/`.startsWith(`${output.folder}/`)) {
    const folder = showPath(output.folder, system);
    throw new UsageError(
      `\`${folder}\` is for generated code`,
      "choose another folder with `--out`",
    );
  }
  const files = createHandlerFiles(unhandled, out, output);
  const taken = files.find(
    ({ path }) => system.readText(toAbsolutePath(path)) !== null,
  );
  if (taken === undefined) return files;
  throw new UsageError(
    `\`${showPath(taken.path, system)}\` already exists`,
    "choose another `--out`; if this file contains the handler, include it in `tsconfig.json`",
  );
}

/** Returns the text of each file before and after the changes. */
function changedDocuments(
  { system }: Run,
  { edits }: ImplementPlan,
): readonly ChangedDocument[] {
  return Array.from(edits, ([{ fileName, text }, all]) =>
    changeSource(fileName, text, applyEdits(text, all), system),
  );
}

/** Collects findings. Missing methods are reported only with `--check`. */
function findingsOf(
  { diagnostics, flags, system }: Run,
  plan: ImplementPlan,
): readonly Diagnostic[] {
  const show = (path: string): string => showPath(path, system);
  const isCheck = flags.check === true;
  const severity = isCheck ? "error" : "warning";
  const isCreated = flags.out !== undefined && !isCheck;
  return [
    ...diagnostics,
    ...plan.faults.map((each) => reportFault(each, show)),
    ...(isCheck ? plan.missing.map((each) => reportMissing(each, show)) : []),
    ...plan.unknown.map((each) => reportUnknown(each, severity, show)),
    ...(isCreated ? [] : plan.unhandled).map((service) =>
      reportUnhandled(
        service,
        isExpected(service, plan) ? severity : "warning",
      ),
    ),
  ];
}

/**
 * Describes each change in a line, e.g. "add `getPrice` to src/shop.ts:12:9".
 */
function describe(
  { flags, system }: Run,
  { missing, renamed }: ImplementPlan,
  created: readonly HandlerFile[],
): readonly string[] {
  if (flags.check === true) return ["nothing changed"];
  const lines = [
    ...renamed.map(({ from, implementation, renaming }) => {
      const place = placeOf(implementation, system);
      return `rename \`${from}\` to \`${renaming.to.property}\` in ${place}`;
    }),
    ...missing.map(
      ({ implementation, method }) =>
        `add \`${method.property}\` to ${placeOf(implementation, system)}`,
    ),
    ...created.map(({ path }) => `create ${showPath(path, system)}`),
  ];
  return lines.length === 0 ? ["nothing changed"] : lines;
}

/** Describes the created files that the compiler does not read. */
function warnExcluded(
  { system }: Run,
  { configPath, open }: ProjectCode,
  created: readonly HandlerFile[],
): readonly string[] {
  if (created.length === 0) return [];
  const { programs } = open();
  const config = showPath(configPath, system);
  return created
    .filter(({ path }) => !programs.some((each) => each.getSourceFile(path)))
    .map(
      ({ path }) =>
        `warning: \`${config}\` does not include ${showPath(path, system)}; add it to \`include\`, or import it`,
    );
}

function placeOf(
  { node, source }: ImplementPlan["missing"][number]["implementation"],
  system: System,
): string {
  const { line, character } = source.getLineAndCharacterOfPosition(
    node.getStart(),
  );
  const path = showPath(source.fileName, system);
  return `${path}:${line + 1}:${character + 1}`;
}

function showPath(path: string, { workingFolder }: System): string {
  return pathFrom(workingFolder, toAbsolutePath(path));
}
