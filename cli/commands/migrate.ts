import { createPlan } from "../../generator/4-emit/typescript/plan/create-plan.js";
import { runtimePath } from "../../generator/4-emit/typescript/names/runtime-entries.js";
import { compareDiagnostics } from "../../generator/diagnostics/diagnostic.js";
import { suggestHelp } from "../../generator/diagnostics/suggest.js";
import { relativeSpecifier } from "../../tools/implement/import-names.js";
import { openPrograms } from "../../tools/implement/open-programs.js";
import {
  migrateCalls,
  type MigratePlan,
} from "../../tools/migrate/change/migrate-calls.js";
import type { OldClient } from "../../tools/migrate/change/old-client.js";
import {
  reportSyntax,
  reportUnclear,
} from "../../tools/migrate/change/report-findings.js";
import { oldClients } from "../../tools/migrate/clients.js";
import { changeSource } from "../output/change-source.js";
import { writeDocuments } from "../output/write.js";
import type { ChangedDocument } from "../project/fix-documents.js";
import { loadCompiler, nearestTsconfig } from "../project/load-compiler.js";
import { printDifference } from "../report/print-difference.js";
import { withProgress } from "../report/progress.js";
import { conclude, type Format } from "../report/report.js";
import {
  type AbsolutePath,
  contains,
  pathFrom,
  resolvePath,
  toAbsolutePath,
} from "../system/paths.js";
import { type System, UsageError } from "../system/system.js";
import { type OpenedContract, withContract } from "./with-contract.js";

/** Flags of `ridl migrate`. */
export interface MigrateFlags {
  readonly tsconfig?: string;
  readonly dryRun?: boolean;
  readonly config?: string;
  readonly format: Format;
}

/**
 * `ridl migrate`: changes calls of another client into calls of the generated
 * one, and reports what it does not understand.
 *
 * Errors: a {@link UsageError} for an unknown client, or if the folder, its
 * `tsconfig.json` or a package is missing.
 */
export async function migrate(
  [name = "", path = ""]: readonly string[],
  flags: MigrateFlags,
  system: System,
): Promise<number> {
  const client = oldClients.find((each) => each.name === name);
  if (client === undefined) {
    const names = oldClients.map((each) => each.name);
    throw new UsageError(
      `calls of \`${name}\` cannot be migrated`,
      suggestHelp(name, names).help ?? `clients are ${names.join(", ")}`,
    );
  }
  const folder = resolvePath(system.workingFolder, path);
  if (system.listFolder(folder) === null) {
    throw new UsageError(`there is no folder \`${path}\``);
  }
  const { dryRun: _, tsconfig: __, ...projectFlags } = flags;
  return withContract([], projectFlags, flags.format, system, (opened) =>
    runMigrate(client, opened, folder, flags, system),
  );
}

async function runMigrate(
  client: OldClient,
  opened: OpenedContract,
  folder: AbsolutePath,
  flags: MigrateFlags,
  system: System,
): Promise<number> {
  const { contract, project } = opened;
  const { importExtension, runtime } = project.config.options;
  const output = resolvePath(project.root, project.config.out);
  const show = (each: string): string =>
    pathFrom(system.workingFolder, toAbsolutePath(each));
  const real = system.realPath(folder);
  const run = () =>
    migrateCalls({
      client,
      plan: createPlan(contract, project.config.options),
      ...openCode(folder, flags, system),
      isWithin: (each) =>
        /\.[cm]?tsx?$/u.test(each) &&
        contains(real, system.realPath(toAbsolutePath(each))),
      output,
      importExtension,
      entry:
        runtime === "copy"
          ? relativeSpecifier(
              `${folder}/outcome.ts`,
              `${output}/runtime/${runtimePath("client")}${importExtension}`,
            )
          : "@ridlkit/runtime/client",
      helpers: folder,
    });
  const plan = await withProgress("migrating", system, run);
  if (plan.lacksPackage) {
    throw new UsageError(client.missing.message, client.missing.help);
  }
  const created = helpersToCreate(plan, folder, system);
  const documents = plan.changed.map(({ source, text }) =>
    changeSource(source.fileName, source.text, text, system),
  );
  const findings = [
    ...opened.diagnostics,
    ...plan.faults.map((each) => reportSyntax(each, show)),
    ...plan.unclear.map((each) => reportUnclear(each, show)),
  ].toSorted(compareDiagnostics);
  return conclude(findings, flags.format, system, () => {
    if (flags.dryRun === true) {
      return [
        ...documents.flatMap(({ after, before, path }) =>
          printDifference(show(path), before, after),
        ),
        ...describe(
          plan,
          documents,
          created,
          show,
          "the same without --dry-run",
        ),
      ];
    }
    writeDocuments(documents, folder, system);
    for (const { path, text } of created) system.createText(path, text);
    const byHand = plan.migrated < plan.calls;
    const nextStep = byHand ? "change the other calls, then run tsc" : "tsc";
    return describe(plan, documents, created, show, nextStep);
  });
}

/** Opens the program that has the files of the folder. */
function openCode(
  folder: AbsolutePath,
  flags: MigrateFlags,
  system: System,
): Pick<Parameters<typeof migrateCalls>[0], "compiler" | "programs"> {
  const configPath = findTsconfig(folder, flags, system);
  const loaded = loadCompiler(folder, "migrate", system);
  const { faults, programs } = openPrograms(loaded, configPath, new Map(), []);
  if (programs.length === 0) {
    const name = pathFrom(system.workingFolder, configPath);
    throw new UsageError(
      [`\`${name}\` includes no files`, ...faults].join(": "),
      "choose another one with `--tsconfig`",
    );
  }
  return { compiler: loaded.compiler, programs };
}

/** Finds the nearest `tsconfig.json` in or above the folder. */
function findTsconfig(
  folder: AbsolutePath,
  { tsconfig }: MigrateFlags,
  system: System,
): AbsolutePath {
  if (tsconfig !== undefined) {
    const path = resolvePath(system.workingFolder, tsconfig);
    if (system.readText(path) !== null) return path;
    throw new UsageError(`there is no \`${tsconfig}\``);
  }
  const nearest = nearestTsconfig(folder, system);
  if (nearest !== null) return nearest;
  throw new UsageError(
    "there is no `tsconfig.json` in the folder or above it",
    "use `--tsconfig` to choose the one that includes the calls",
  );
}

/** A file that migrated code imports, and its place. */
interface PlacedFile {
  readonly path: AbsolutePath;
  readonly text: string;
}

/** Returns the files that migrated code imports and that do not exist yet. */
function helpersToCreate(
  { helpers }: MigratePlan,
  folder: AbsolutePath,
  system: System,
): readonly PlacedFile[] {
  return helpers.flatMap(({ exported, name, text }): PlacedFile | [] => {
    const path = resolvePath(folder, `${name}.ts`);
    const before = system.readText(path);
    if (before === null) return { path, text };
    if (before.includes(`function ${exported}`)) return [];
    throw new UsageError(
      `\`${pathFrom(system.workingFolder, path)}\` already exists`,
      "rename it, because migrated code imports a file with this name",
    );
  });
}

/** Describes what changed, e.g. "change src/api.ts". */
function describe(
  { calls, migrated }: MigratePlan,
  documents: readonly ChangedDocument[],
  created: readonly PlacedFile[],
  show: (path: string) => string,
  nextStep: string,
): readonly string[] {
  if (documents.length === 0) return ["nothing changed"];
  return [
    ...documents.map(({ path }) => `change ${show(path)}`),
    ...created.map(({ path }) => `create ${show(path)}`),
    `migrated ${migrated} of ${calls} calls`,
    `next: ${nextStep}`,
  ];
}
