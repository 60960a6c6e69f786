import type { ts } from "ts-morph";
import type { Plan } from "../../../generator/4-emit/typescript/plan/plan.js";
import type { Compiler } from "../../implement/compiler.js";
import type { NeededImports } from "../../implement/import-names.js";
import type { MovedImport } from "./drop-imports.js";
import type { Edits } from "./edits.js";
import type { HelperFile } from "./helper-file.js";
import type { Base, ContractOperation } from "./operations.js";
import type { Surroundings } from "./print-code.js";
import type { UnsupportedCode } from "./unsupported-code.js";
import type { ClientKey, OldCall, SymbolLookup, Uses } from "./uses.js";

/** A project and the contract whose client it has to call. */
export interface MigrateInput {
  readonly client: OldClient;
  readonly plan: Plan;
  readonly programs: readonly ts.Program[];
  readonly compiler: Compiler;
  /** Whether a file can be changed. */
  readonly isWithin: (path: string) => boolean;
  /** Absolute path of the folder with generated code. */
  readonly output: string;
  readonly importExtension: string;
  /** The module of the runtime for clients. */
  readonly entry: string;
  /** Absolute path of the folder for files that migrated code imports. */
  readonly helpers: string;
}

/** A file of a program, and what it has of the old client. */
export interface UsedFile {
  readonly source: ts.SourceFile;
  readonly program: ts.Program;
  readonly lookup: SymbolLookup;
  readonly uses: Uses;
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
  /** Whether an old client stays that a type can stand for. */
  readonly staysInType: (client: ClientKey) => boolean;
  /** Whether a call of a client is migrated. */
  readonly isUsed: (client: ClientKey) => boolean;
  /** Old clients that cannot be replaced, with the reason. */
  readonly blocked: readonly ClientKey[];
}

/** What the changes of one file share. */
export interface CodeChange {
  readonly file: UsedFile;
  readonly migration: Migration;
  readonly edits: Edits;
  readonly generated: NeededImports;
  readonly helpers: NeededImports;
  readonly surroundings: Surroundings;
  /** What a person should check. */
  readonly warnings: UnsupportedCode[];
}

/** The code that creates a new client. */
export interface NewCreation {
  readonly text: string;
  /** What a person should check, or null. */
  readonly warning: UnsupportedCode | null;
}

/** A client whose calls `ridl migrate` changes. */
export interface OldClient {
  /** Its name as an argument of the command. */
  readonly name: string;
  /** The error for a project in which the client cannot be found. */
  readonly missing: { readonly message: string; readonly help: string };
  /** Whether the client is certainly in none of the programs. */
  readonly isMissing: (programs: readonly ts.Program[]) => boolean;
  /** Whether the client's own tool generated a file. */
  readonly isGenerated: (source: ts.SourceFile) => boolean;
  /** Finds what a file has of the client, in the order of the file. */
  readonly findUses: (source: ts.SourceFile, lookup: SymbolLookup) => Uses;
  /**
   * Returns a key for the document that a client was made for. Clients of other
   * documents have other keys. It is empty if the document is unknown.
   */
  readonly documentOf: (lookup: SymbolLookup, type: ts.Type) => string;
  /** Returns the host that has the methods of calls, or null. */
  readonly findBase: (plan: Plan, calls: readonly OldCall[]) => Base | null;
  /**
   * Replaces a call. `base` is null if no host has the methods of its client.
   *
   * Errors: {@link UnsupportedCode} for what has no equivalent.
   */
  readonly replaceCall: (
    call: OldCall,
    base: Base | null,
    change: CodeChange,
  ) => void;
  /**
   * Prints the code that creates the new client. `old` is the code that creates
   * the old one, if it stays beside the new one.
   *
   * Errors: {@link UnsupportedCode} for options that have no equivalent.
   */
  readonly printCreation: (
    creation: ts.CallExpression,
    old: string | null,
    base: Base,
    change: CodeChange,
  ) => NewCreation;
  /** Replaces a name of a client that generated code creates. */
  readonly replaceReference: (name: ts.Identifier, change: CodeChange) => void;
  /** Whether a call adds the new client to the old one, its argument. */
  readonly isCombination: (
    call: ts.CallExpression,
    creation: ts.CallExpression,
  ) => boolean;
  /** Returns the name of the new client's type. */
  readonly typeName: (base: Base) => string;
  /** Imports the types whose intersection is the type of the new client. */
  readonly useTypes: (base: Base, change: CodeChange) => readonly string[];
  /** Returns an import that moves to a helper file, or null. */
  readonly moveImport: (change: CodeChange) => MovedImport | null;
  /** Returns the files that migrated code can import. */
  readonly helperFiles: (migration: Migration) => readonly HelperFile[];
}
