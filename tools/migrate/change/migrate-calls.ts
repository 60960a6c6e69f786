import type { ts } from "ts-morph";
import { groupBy } from "../../../generator/ir/group-by.js";
import { isOwnFile } from "../../implement/find-implementations.js";
import { changeFile, type FileResult } from "./change-file.js";
import { listOperations } from "./operations.js";
import type { HelperFile } from "./helper-file.js";
import type { MigrateInput, Migration, UsedFile } from "./old-client.js";
import { outsideUses, reportOutside } from "./outside-uses.js";
import type { UnsupportedCode } from "./unsupported-code.js";
import { canBeSame, type ClientKey, type Uses } from "./uses.js";

/** The changes that a project needs, and what people have to change. */
export interface MigratePlan {
  readonly changed: readonly FileResult[];
  /** Syntax errors in files that have to change. */
  readonly faults: readonly ts.DiagnosticWithLocation[];
  readonly unclear: readonly UnsupportedCode[];
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
  const { inside: files, outside } = findFiles(input);
  const calls = files.flatMap(({ uses }) => uses.calls);
  const start = startMigration(input, files);
  const used = outsideUses(outside, start);
  const { migration, reasons } = decide(start, used);
  const results = changeFiles(migration);
  const changed = results.filter(({ text, source }) => text !== source.text);
  return {
    changed,
    faults: files
      .filter(({ source }) => changed.some((each) => each.source === source))
      .flatMap(({ program, source }) =>
        program.getSyntacticDiagnostics(source).slice(0, 1),
      ),
    unclear: withReasons(
      results.flatMap(({ unclear }) => unclear),
      [...reasons, ...reportOutside(outside, used, migration)],
    ),
    calls:
      calls.length +
      files.flatMap(({ uses }) => uses.others.filter(isCall)).length,
    migrated: results.reduce((sum, { migrated }) => sum + migrated.length, 0),
    lacksPackage:
      input.client.isMissing(input.programs) ||
      files.some(
        ({ lookup, uses }) =>
          uses.importsOld !== null &&
          lookup.checker.getSymbolAtLocation(uses.importsOld) === undefined,
      ),
    helpers: input.client
      .helperFiles(migration)
      .filter(({ name }) => changed.some(({ helpers }) => helpers.has(name))),
  };
}

/** Finds the methods that calls can become, as if nothing had to stay. */
function startMigration(
  input: MigrateInput,
  files: readonly UsedFile[],
): Migration {
  const calls = files.flatMap(({ uses }) => uses.calls);
  const bases = Array.from(
    groupBy(calls, ({ document }) => document),
    ([document, all]) => {
      return [document, input.client.findBase(input.plan, all)] as const;
    },
  );
  return {
    ...input,
    operations: listOperations(input.plan),
    files,
    bases: new Map(bases),
    hasMiddleware: files.some(({ uses }) => uses.hasMiddleware),
    staysOld: () => false,
    staysInType: () => false,
    isUsed: () => true,
    blocked: [],
  };
}

/** How files change, and why some clients cannot be replaced. */
interface Decision {
  readonly migration: Migration;
  readonly reasons: readonly UnsupportedCode[];
}

/** Adds reasons for clients that are left alone because all their calls stay. */
function withReasons(
  unclear: readonly UnsupportedCode[],
  reasons: readonly UnsupportedCode[],
): readonly UnsupportedCode[] {
  const known = new Set(unclear.map(({ node }) => node));
  return [...unclear, ...reasons.filter(({ node }) => !known.has(node))];
}

/**
 * Finds out which calls stay, and with them the old clients. `outside` are the
 * clients that code outside the folder uses.
 */
function decide(start: Migration, outside: readonly ClientKey[]): Decision {
  const first = changeFiles(start);
  const blocked = first.flatMap(({ blocked: own }) => own);
  const second = changeFiles({ ...start, blocked });
  const staying = [...second.flatMap(({ stays }) => stays), ...outside];
  const used = second.flatMap(({ migrated }) => migrated);
  const staysOld = (client: ClientKey): boolean =>
    staying.some((each) => canBeSame(each, client));
  const migration: Migration = {
    ...start,
    blocked,
    staysOld,
    // All other staying clients are created with the old one beside the new one.
    staysInType: (client) =>
      client.creation === null
        ? staying.some(
            (each) => each.creation === null && canBeSame(each, client),
          )
        : staysOld(client),
    isUsed: (client) => used.some((each) => canBeSame(each, client)),
  };
  return { migration, reasons: blocked.flatMap(({ reason }) => reason ?? []) };
}

function isCall({ reason }: Uses["others"][number]): boolean {
  return "arguments" in reason.node;
}

function changeFiles(migration: Migration): readonly FileResult[] {
  return migration.files.map((file) => changeFile(file, migration));
}

/** The files that use the old client, once each. */
interface FoundFiles {
  readonly inside: readonly UsedFile[];
  /** Files outside the folder, which cannot be changed. */
  readonly outside: readonly UsedFile[];
}

function findFiles({
  client,
  compiler,
  isWithin,
  output,
  programs,
}: MigrateInput): FoundFiles {
  const seen = new Set<string>();
  const all = programs.flatMap((program) => {
    const lookup = { compiler, checker: program.getTypeChecker() };
    return program.getSourceFiles().flatMap((source): UsedFile | [] => {
      if (!isOwnFile(source, program, output)) return [];
      if (client.isGenerated(source)) return [];
      if (seen.has(source.fileName)) return [];
      seen.add(source.fileName);
      const uses = client.findUses(source, lookup);
      const { calls, creations, others, references, types } = uses;
      const isUsed = [calls, creations, others, references, types].some(
        ({ length }) => length > 0,
      );
      return isUsed || uses.importsOld !== null
        ? { source, program, lookup, uses }
        : [];
    });
  });
  const isInside = ({ source }: UsedFile): boolean => isWithin(source.fileName);
  const isTypeScript = ({ source }: UsedFile): boolean =>
    /\.[cm]?tsx?$/u.test(source.fileName);
  return {
    inside: all.filter(isInside),
    outside: all.filter((each) => !isInside(each) && isTypeScript(each)),
  };
}
