import type { ts } from "ts-morph";
import type { Plan } from "../../4-emit/typescript/plan/plan.js";
import type { Compiler } from "../implement/compiler.js";
import type { OldCall, Uses } from "./find-uses.js";
import type { SymbolLookup } from "./old-client.js";
import type { Base, ContractOperation } from "./operations.js";
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
  readonly lookup: SymbolLookup;
  readonly uses: Uses;
}

/** A client, by the call that creates it, if known, and by its document. */
export interface ClientKey {
  readonly creation: ts.CallExpression | null;
  /** Empty if it is unknown. */
  readonly document: string;
}

/** Whether two clients can be the same. */
export function canBeSame(left: ClientKey, right: ClientKey): boolean {
  return left.creation === null || right.creation === null
    ? left.document === right.document ||
        left.document === "" ||
        right.document === ""
    : left.creation === right.creation;
}

/** What the changes of all files depend on. */
export interface Migration extends MigrateInput {
  readonly operations: readonly ContractOperation[];
  readonly files: readonly UsedFile[];
  /** Where the contract has the paths of each document. */
  readonly bases: ReadonlyMap<string, Base | null>;
  /** Whether a client has middleware. */
  readonly hasMiddleware: boolean;
  /** Whether an old client stays, because a use of it stays. */
  readonly staysOld: (client: ClientKey) => boolean;
  /** Whether a call of a client is migrated. */
  readonly isUsed: (client: ClientKey) => boolean;
  /** Old clients that cannot be replaced, with the reason. */
  readonly blocked: readonly ClientKey[];
}

/** Returns why the client of a call keeps it from being migrated, or null. */
export function blockOf(
  { blocked, files }: Migration,
  call: OldCall,
): Unclear | null {
  const { client, creation } = call;
  const source = creation?.getSourceFile();
  if (source && !files.some((each) => each.source === source)) {
    return new Unclear(client, "its client is created outside the folder");
  }
  return blocked.some((each) => canBeSame(each, call))
    ? new Unclear(client, "its client is not migrated")
    : null;
}
