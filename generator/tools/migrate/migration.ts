import type { ts } from "ts-morph";
import type { Plan } from "../../4-emit/typescript/plan/plan.js";
import type { Compiler } from "../implement/compiler.js";
import type { OldCall, Uses } from "./find-uses.js";
import type { Lookup } from "./old-client.js";
import type { Base, Operation } from "./operations.js";
import { Unclear } from "./unclear.js";

/** A project and the contract whose client it has to call. */
export interface MigrateInput {
  readonly plan: Plan;
  readonly programs: readonly ts.Program[];
  readonly compiler: Compiler;
  /** Whether a file can be changed. */
  readonly isWithin: (path: string) => boolean;
  /** Absolute path of the folder with generated code. */
  readonly output: string;
  readonly importExtension: string;
  /** Absolute path of the folder for files that migrated code imports. */
  readonly helpers: string;
}

/** A file of a program, and what it has of openapi-fetch. */
export interface UsedFile {
  readonly source: ts.SourceFile;
  readonly program: ts.Program;
  readonly lookup: Lookup;
  readonly uses: Uses;
}

/** What the changes of all files depend on. */
export interface Migration extends MigrateInput {
  readonly operations: readonly Operation[];
  readonly files: readonly UsedFile[];
  /** Where the contract has the paths of each document. */
  readonly bases: ReadonlyMap<string, Base | null>;
  /** Whether a client has middleware. */
  readonly hasMiddleware: boolean;
  /** Whether an old client stays, because a use of it stays. */
  readonly staysOld: (creation: ts.CallExpression | null) => boolean;
  /** Whether a call of a client is migrated. */
  readonly isUsed: (creation: ts.CallExpression) => boolean;
  /** Old clients that cannot be replaced, with the reason. */
  readonly blocked: ReadonlyMap<ts.CallExpression, Unclear>;
}

/** Returns why the client of a call keeps it from being migrated, or null. */
export function blockOf(
  { blocked, files }: Migration,
  { client, creation }: OldCall,
): Unclear | null {
  if (creation === null) {
    return blocked.size === 0
      ? null
      : new Unclear(client, "a client in the folder is not migrated");
  }
  const source = creation.getSourceFile();
  if (!files.some((each) => each.source === source)) {
    return new Unclear(client, "its client is created outside the folder");
  }
  return blocked.has(creation)
    ? new Unclear(client, "its client is not migrated")
    : null;
}
