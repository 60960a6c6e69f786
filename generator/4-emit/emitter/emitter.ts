import type { Contract } from "../../ir/contract.js";

/** One text to be written below the output folder. */
export interface OutputFile {
  /** Relative to the output folder, with `/`, e.g. `marketplace/client.ts`. */
  readonly path: string;
  readonly text: string;
}

/** What a project can choose about the code that it gets. */
export interface EmitOptions {
  /**
   * `typescript`: `.ts` files. `javascript`: `.js` and `.d.ts`, to run and to
   * publish as they are; relative imports end with `.js`. TypeScript if absent.
   */
  readonly language?: "typescript" | "javascript";
  /** False: JavaScript without `.d.ts`, for code that only runs. */
  readonly declarations?: boolean;
  /**
   * TypeScript type of `int64` and `uint64` whose constraints exceed 2^53-1:
   * `number` (checked, never rounded) or `bigint` (exact over the whole range).
   */
  readonly int64: "number" | "bigint";
  /** TypeScript type of `timestamp`: the RFC 3339 string, or `Date`. */
  readonly timestamp: "string" | "date";
  /** Whether generated code imports `@ridlkit/runtime` or gets a copy beside it. */
  readonly runtime: "import" | "copy";
  /**
   * With `runtime: copy`, files of the runtime that are copied though nothing
   * imports them, e.g. `node`: programs do.
   */
  readonly runtimeFiles?: readonly string[];
  /** Ending of relative imports; "" suits bundlers only. */
  readonly importExtension: ".js" | ".ts" | "";
  /**
   * `webrpc`: also `webrpc.ts`, the client under the names that webrpc's own
   * generator gives it. Absent: ridlkit's names only.
   */
  readonly compat?: "webrpc";
  /**
   * Whether null for a required list, map or `[]byte` is read as an empty one,
   * as Go writes it. True with `compat: webrpc` if absent, else false.
   */
  readonly nullAsEmpty?: boolean;
  /**
   * Also `query.ts`: options of TanStack Query, with types of its package for
   * this framework, `@tanstack/react-query` and the like. Absent: none.
   */
  readonly query?: QueryFramework;
  /**
   * Also `mcp.ts`: tools of the Model Context Protocol for all methods, or for
   * those with the annotation `@tool`. Absent: none.
   */
  readonly mcp?: ToolChoice;
  /** Also `schemas.ts`: a Standard Schema for each message and struct. */
  readonly schemas?: boolean;
  /** Also the explorer, a page that shows and calls the contract. */
  readonly docs?: DocsOptions;
  /** Also `mock.ts`: handlers that answer with data drawn from the contract. */
  readonly mock?: boolean;
  /** Also JSON Schema of all messages and types. */
  readonly jsonSchema?: boolean;
  /** Also `api.md`, documentation in Markdown. */
  readonly markdown?: boolean;
  /** Also an OpenAPI description. */
  readonly openapi?: OpenapiOptions;
}

/** What a project can choose about its OpenAPI description. */
export interface OpenapiOptions {
  /** How it is written; YAML if absent. */
  readonly format?: "json" | "yaml";
  /**
   * Whether one document describes all hosts, instead of one for each. The hosts
   * must not have a path in common.
   */
  readonly merge?: boolean;
  /** Title; the names of the hosts if absent. */
  readonly title?: string;
  /**
   * Base address of hosts by their names, such as `https://api.example.com`. If
   * absent, what the schema says, else the server that the document comes from.
   */
  readonly addresses?: Readonly<Record<string, string>>;
  /** Example values of parameters of addresses, e.g. `{ network: "polygon" }`. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** Frameworks that TanStack Query has a package for; `core` is none of them. */
export type QueryFramework =
  "core" | "preact" | "react" | "solid" | "svelte" | "vue";

/** Which methods are tools. */
export type ToolChoice = "all" | "annotated";

/** What a project can choose about the explorer. */
export interface DocsOptions {
  /** Heading of the page; the names of the hosts unless given. */
  readonly title?: string;
  /**
   * Base address of hosts by their names: `https://api.example.com`, or a path
   * on the server that the page comes from, e.g. `/{network}`.
   */
  readonly addresses?: Readonly<Record<string, string>>;
  /** What parameters of addresses are at first, e.g. `{ network: "polygon" }`. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Where snippets import the generated client from; `./generated` unless given. */
  readonly importFrom?: string;
  /**
   * RIDL of hosts by the paths of their documents, to be downloaded from the
   * page. The command line prints it; if absent, the page offers none.
   */
  readonly schemas?: ReadonlyMap<string, string>;
}

/** What emitting needs of ridlkit itself, as data, so that it stays pure. */
export interface EmitContext {
  /**
   * Text of every file of the runtime, by its path inside of it: `client.ts`, or
   * `client.js` and `client.d.ts` where the language is JavaScript. Read for
   * `runtime: copy` only; may be empty otherwise.
   */
  readonly runtimeSources: ReadonlyMap<string, string>;
  /**
   * Text of the explorer's script and style as they are built, by file name,
   * e.g. `explorer.css`. Read for `docs` only; may be absent otherwise.
   */
  readonly explorerFiles?: ReadonlyMap<string, string>;
}

/**
 * A target: a pure function from the contract to files. Same contract and
 * options, same bytes. It may assume that the contract passed every check.
 */
export interface Emitter {
  /** Name in the configuration, e.g. `client`. */
  readonly name: string;
  /** Names of the emitters whose files its own files import; none if absent. */
  readonly needs?: readonly string[];
  emit(contract: Contract, options: EmitOptions): readonly OutputFile[];
}
