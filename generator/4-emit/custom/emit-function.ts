import type {
  Contract,
  Field,
  Message,
  TypeReference,
} from "../../ir/contract.js";
import type { EmitOptions, OutputFile } from "../emitter/emitter.js";
import type { Names } from "../typescript/names/names.js";
import type { kinds, Structure } from "../typescript/text/structures.js";

/**
 * The function `emit` that makes a module an emitter. It can be asynchronous,
 * e.g. to wait for a formatter.
 *
 * Input: the contract, the settings in the configuration, and tools to write
 * TypeScript. `Options` is the type of the emitter's own options.
 */
export type EmitFunction<Options = Readonly<Record<string, unknown>>> = (
  contract: Contract,
  settings: EmitOptions,
  tools: EmitTools<Options>,
) => readonly EmittedFile[] | Promise<readonly EmittedFile[]>;

/** A file that a custom emitter returns. */
export type EmittedFile = OutputFile | StatementsFile;

/**
 * A TypeScript file as data. ridlkit prints it in the project's language, below
 * a comment that names its origin.
 */
export interface StatementsFile {
  /**
   * Path relative to the output folder, with `/` and without an extension, e.g.
   * `hooks/items` for `hooks/items.ts`, or for a `.js` and a `.d.ts` file.
   */
  readonly path: string;
  /** Statements of the file. If there are none, no file is written. */
  readonly statements: readonly Statement[];
}

/**
 * A declaration as a ts-morph structure, or code that is the same in TypeScript
 * and JavaScript. Declaration files omit code.
 */
export type Statement = string | Structure<string>;

/** Tools that emitters use to write TypeScript. */
export interface EmitTools<Options = Readonly<Record<string, unknown>>> {
  /**
   * The emitter's `options` in the configuration. They are not validated. The
   * default is `{}`.
   */
  readonly options: Options;
  /** Names of parts of the contract in generated TypeScript. */
  readonly names: Pick<
    Names,
    "contractError" | "errorClass" | "host" | "method" | "service" | "type"
  >;
  /** The `kind` of each structure, e.g. `kinds.interface`. */
  readonly kinds: typeof kinds;
  /** Returns a string literal, e.g. `"it's"`. */
  quoteString(text: string): string;
  /** Returns the name of a property, in quotes if it needs them. */
  quoteProperty(name: string): string;
  /** Starts a file at a path, which is relative and has no extension. */
  startFile(path: string): FileDraft;
}

/** A file that collects imports of generated types while it is written. */
export interface FileDraft {
  /**
   * Returns the type of a field, a message, or a type reference, e.g. `Item[]`.
   */
  typeOf(subject: Field | Message | TypeReference): string;
  /** Returns the file with its imports. Call it after the last `typeOf`. */
  finish(statements: readonly Statement[]): StatementsFile;
}
