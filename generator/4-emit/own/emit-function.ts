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
 * The function `emit` that a module of a project exports to be an emitter. It
 * can be asynchronous, e.g. to wait for a formatter.
 *
 * Input: the contract; the settings of the configuration; and what helps to
 * write TypeScript. `Options` is the type of the emitter's own options.
 */
export type EmitFunction<Options = Readonly<Record<string, unknown>>> = (
  contract: Contract,
  settings: EmitOptions,
  tools: EmitTools<Options>,
) => readonly EmittedFile[] | Promise<readonly EmittedFile[]>;

/** A file as an emitter of a project returns it. */
export type EmittedFile = OutputFile | StatementsFile;

/**
 * A TypeScript file as data. ridlkit prints it in the language of the project,
 * below a comment that says where it comes from.
 */
export interface StatementsFile {
  /**
   * Relative to the output folder, with `/` and without an ending, e.g.
   * `hooks/items`: the file is `hooks/items.ts`, or a `.js` and a `.d.ts`.
   */
  readonly path: string;
  /** Nothing is written if there are none. */
  readonly statements: readonly Statement[];
}

/**
 * A declaration in the shape of ts-morph's structures, or code that is the same
 * in TypeScript and JavaScript, which declarations (`.d.ts`) leave out.
 */
export type Statement = string | Structure<string>;

/** What helps an emitter of a project to write TypeScript. */
export interface EmitTools<Options = Readonly<Record<string, unknown>>> {
  /** `options` of the emitter in the configuration, unchecked; `{}` if absent. */
  readonly options: Options;
  /** The names that the generated TypeScript has for parts of the contract. */
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
  /** Starts a file. Input: its path, see {@link StatementsFile.path}. */
  startFile(path: string): FileDraft;
}

/** A file that collects imports of generated types while it is written. */
export interface FileDraft {
  /**
   * Returns the type of a field, of a request or response, or of a type
   * reference, e.g. `Item[]`.
   */
  typeOf(subject: Field | Message | TypeReference): string;
  /** Returns the file with its imports. Call it once all types are known. */
  finish(statements: readonly Statement[]): StatementsFile;
}
