import type { Contract } from "../../ir/contract.js";
import type { HostHistory } from "../../values/history.js";
import type { WireOptions } from "../../values/wire-options.js";
import type { NameRules } from "../names/name-rules.js";

/** A file to write below the output folder. */
export interface OutputFile {
  /**
   * Path relative to the output folder, with `/`, e.g. `marketplace/client.ts`.
   */
  readonly path: string;
  readonly text: string;
}

/** Options for generated code. */
export interface EmitOptions extends WireOptions {
  /**
   * Language of generated code: `typescript` for `.ts` files, or `javascript`
   * for `.js` files with `.d.ts` files next to them. Default: `typescript`.
   */
  readonly language?: "typescript" | "javascript";
  /** Whether JavaScript has `.d.ts` files. Default: `true`. */
  readonly declarations?: boolean;
  /** Whether generated code imports `@ridlkit/runtime` or a copy next to it. */
  readonly runtime: "import" | "copy";
  /**
   * Additional runtime files that `runtime: copy` copies for programs, e.g.
   * `node`. Default: none.
   */
  readonly runtimeFiles?: readonly string[];
  /** Extension of relative imports. "" works only with bundlers. */
  readonly importExtension: ".js" | ".ts" | "";
  /**
   * Whether the types of optional fields include `undefined`, for programs with
   * `exactOptionalPropertyTypes`. Default: `false`.
   */
  readonly explicitUndefined?: boolean;
  /** Whether the types of lists are read-only. Default: `false`. */
  readonly readonlyLists?: boolean;
  /**
   * What generated code says and knows about contracts, by the names of hosts.
   * Default: nothing.
   */
  readonly skew?: ReadonlyMap<string, HostSkew>;
}

/** What generated code says and knows about the contract of a host. */
export interface HostSkew {
  /** The header `Webrpc` of clients. */
  readonly header: string;
  /** Version of the contract, e.g. `v1.4.0`. */
  readonly version: string;
  /** Methods to which clients send the header, e.g. `Shop.GetBook`. */
  readonly announced: ReadonlySet<string>;
  /** The earlier contracts that servers know. */
  readonly past: HostHistory["past"];
  /** The changes that only a setting caused. */
  readonly settings?: HostHistory["settings"] | undefined;
}

/**
 * Texts that some targets need besides the contract. They are passed as data,
 * so emitters stay pure.
 */
export interface EmitContext {
  /**
   * The text of each runtime file, by path: `client.ts`, or `client.js` and
   * `client.d.ts` for JavaScript. Only `runtime: copy` reads them. Otherwise,
   * the map may be empty.
   */
  readonly runtimeSources: ReadonlyMap<string, string>;
  /**
   * The text of the explorer's script and style sheet, by name, e.g.
   * `explorer.css`. Only `docs` reads them.
   */
  readonly explorerFiles?: ReadonlyMap<string, string>;
  /**
   * The RIDL of each host, by the path of its document. Only `docs` reads it,
   * and offers it for download.
   */
  readonly schemas?: ReadonlyMap<string, string>;
  /**
   * Template sets that replace ridlkit's own, by name. Default:
   * ridlkit's own.
   */
  readonly templates?: ReadonlyMap<string, TemplateSet>;
  /**
   * Path of the output folder, relative to the folder of the user's code.
   * Default: `generated`.
   */
  readonly outputFolder?: string;
}

/** Templates that were checked and can print every contract. */
export interface TemplateSet {
  readonly files: readonly SetFile[];
  /** How names are written in code. */
  readonly rules: NameRules;
  /** Prints a record of the view with a template. */
  render(template: string, record: object): string;
}

/** A file that a template set writes. */
export interface SetFile {
  /** The template, e.g. `files/{host}/api.md`. */
  readonly template: string;
  /** The text of a file that is no template, or null for a template. */
  readonly copied: string | null;
  /**
   * Path of the file, e.g. `src/{host}/api.md`. `{package}` stands for the name
   * of the package in code, and `{host}` for the folder of each host.
   */
  readonly path: string;
  /** Whether each host has such a file, because its path has a `{host}`. */
  readonly isByHost: boolean;
}

/**
 * A pure function from a contract to files. Equal contracts, options and
 * contexts result in equal bytes. It may assume that the contract is valid.
 */
export interface Emitter {
  /** Name in the configuration, e.g. `client`. */
  readonly name: string;
  /**
   * Names of the emitters whose files this emitter's files import. Default:
   * none.
   */
  readonly needs?: readonly string[];
  /** Returns the further emitters that a contract makes it need. */
  needsFor?(contract: Contract): readonly string[];
  /** Returns the files for a contract. */
  emit(
    contract: Contract,
    options: EmitOptions,
    context?: EmitContext,
  ): readonly OutputFile[];
}
