import type { ts } from "ts-morph";
import { groupBy } from "../../../ir/group-by.js";
import { isOwnFile } from "../../implement/find-implementations.js";
import { changeFile, type FileResult } from "./change-file.js";
import { findBase, listOperations } from "./operations.js";
import type {
  HelperFile,
  MigrateInput,
  Migration,
  UsedFile,
} from "./old-client.js";
import { canBeSame } from "./same-client.js";
import type { Unclear } from "./unclear.js";
import type { ClientKey, Uses } from "./uses.js";

/** The changes that a project needs, and what people have to change. */
export interface MigratePlan {
  readonly changed: readonly FileResult[];
  /** Syntax errors in files that have to change. */
  readonly faults: readonly ts.DiagnosticWithLocation[];
  readonly unclear: readonly Unclear[];
  /** Number of calls in all files. */
  readonly calls: number;
  readonly migrated: number;
  /** Whether the program imports the old client, which is not installed. */
  readonly lacksPackage: boolean;
  /** The files that the new code imports. */
  readonly helpers: readonly HelperFile[];
}

/** Changes the calls of an old client into calls of the generated one. */
export function migrateCalls(input: MigrateInput): MigratePlan {
  const files = findFiles(input);
  const operations = listOperations(input.plan);
  const calls = files.flatMap(({ uses }) => uses.calls);
  const bases = new Map(
    Array.from(
      groupBy(calls, ({ document }) => document),
      ([document, all]) => [
        document,
        findBase(
          operations,
          all.map(({ address }) => address),
        ),
      ],
    ),
  );
  const start: Migration = {
    ...input,
    operations,
    files,
    bases,
    hasMiddleware: files.some(({ uses }) => uses.hasMiddleware),
    staysOld: () => false,
    isUsed: () => true,
    blocked: [],
  };
  // The first round finds out which calls stay, and with them the old clients.
  const first = changeFiles(start);
  const blocked = first.flatMap(({ blocked: own }) => own);
  const second = changeFiles({ ...start, blocked });
  const staying = second.flatMap(({ stays }) => stays);
  const staysOld = (client: ClientKey): boolean =>
    staying.some((each) => canBeSame(each, client));
  const used = second.flatMap(({ migrated }) => migrated);
  const isUsed = (client: ClientKey): boolean =>
    used.some((each) => canBeSame(each, client));
  const third = { ...start, blocked, staysOld, isUsed };
  const results = changeFiles(third);
  const changed = results.filter(({ text, source }) => text !== source.text);
  return {
    changed,
    faults: files
      .filter(({ source }) => changed.some((each) => each.source === source))
      .flatMap(({ program, source }) =>
        program.getSyntacticDiagnostics(source).slice(0, 1),
      ),
    unclear: results.flatMap(({ unclear }) => unclear),
    calls:
      calls.length +
      files.flatMap(({ uses }) => uses.others.filter(isCall)).length,
    migrated: results.reduce((sum, { migrated }) => sum + migrated.length, 0),
    lacksPackage: files.some(
      ({ lookup, uses }) =>
        uses.importsOld !== null &&
        lookup.checker.getSymbolAtLocation(uses.importsOld) === undefined,
    ),
    helpers: input.client
      .helperFiles(third)
      .filter(({ name }) => changed.some(({ helpers }) => helpers.has(name))),
  };
}

function isCall({ reason }: Uses["others"][number]): boolean {
  return "arguments" in reason.node;
}

function changeFiles(migration: Migration): readonly FileResult[] {
  return migration.files.map((file) => changeFile(file, migration));
}

/** Finds the files that use the old client, once each. */
function findFiles({
  client,
  compiler,
  isWithin,
  output,
  programs,
}: MigrateInput): readonly UsedFile[] {
  const seen = new Set<string>();
  return programs.flatMap((program) => {
    const lookup = { compiler, checker: program.getTypeChecker() };
    return program.getSourceFiles().flatMap((source): UsedFile | [] => {
      if (!isOwnFile(source, program, output)) return [];
      if (seen.has(source.fileName) || !isWithin(source.fileName)) return [];
      seen.add(source.fileName);
      const uses = client.findUses(source, lookup);
      const { calls, creations, others, types } = uses;
      const isUsed =
        calls.length + creations.length + others.length + types.length > 0;
      return isUsed || uses.importsOld !== null
        ? { source, program, lookup, uses }
        : [];
    });
  });
}
