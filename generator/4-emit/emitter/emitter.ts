import type { Contract } from "../../ir/contract.js";

/** A file to write below the output folder. */
export interface OutputFile {
  /**
   * Path relative to the output folder, with `/`, e.g. `marketplace/client.ts`.
   */
  readonly path: string;
  readonly text: string;
}

/** Options for generated code. */
export interface EmitOptions {
  /**
   * Language of generated code: `typescript` for `.ts` files, or `javascript`
   * for `.js` files with `.d.ts` files next to them. Default: `typescript`.
   */
  readonly language?: "typescript" | "javascript";
  /** Whether JavaScript has `.d.ts` files. Default: `true`. */
  readonly declarations?: boolean;
  /**
   * TypeScript type of `int64` and `uint64`: `number` (checked, never rounded)
   * or `bigint` (exact). Types whose limits are within ±(2^53-1) are always
   * `number`.
   */
  readonly int64: "number" | "bigint";
  /** TypeScript type of `timestamp`: RFC 3339 text or `Date`. */
  readonly timestamp: "string" | "date";
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
   * `webrpc` also generates `webrpc.ts`, a client that uses the same names as
   * webrpc's own client. Default: no such client.
   */
  readonly compat?: "webrpc";
  /**
   * Whether null for a required list, map or `[]byte` is read as an empty one,
   * because Go writes nil as null. Default: `true` with `compat: webrpc`,
   * otherwise `false`.
   */
  readonly nullAsEmpty?: boolean;
  /**
   * Framework to use with TanStack Query. Also generates `query.ts` with types
   * from its package, e.g. `@tanstack/react-query`. Default: none.
   */
  readonly query?: QueryFramework;
  /**
   * Also generates `mcp.ts`, with Model Context Protocol tools for all methods,
   * or only for methods with `@tool`. Default: none.
   */
  readonly mcp?: ToolChoice;
  /**
   * Whether to generate `schemas.ts`, which contains a Standard Schema for each
   * message and struct. Default: `false`.
   */
  readonly schemas?: boolean;
  /**
   * Whether to generate `schemas-with-json.ts`, which contains the schemas of
   * `schemas.ts` along with their JSON Schemas. If so, `schemas.ts` is
   * generated too. Default: `false`.
   */
  readonly schemasWithJson?: boolean;
  /**
   * Options for the explorer, a page that shows the contract and calls its
   * methods. Default: no explorer.
   */
  readonly docs?: DocsOptions;
  /**
   * Whether to generate `mock.ts`, which contains handlers that respond with
   * mock data.
   * Default: `false`.
   */
  readonly mock?: boolean;
  /**
   * Whether to generate the JSON Schema of all messages and types. Default:
   * `false`.
   */
  readonly jsonSchema?: boolean;
  /**
   * Whether to generate `api.md`, documentation in Markdown. Default: `false`.
   */
  readonly markdown?: boolean;
  /** Options for the OpenAPI document. Default: no document. */
  readonly openapi?: OpenapiOptions;
}

/** Options for the OpenAPI document. */
export interface OpenapiOptions {
  /** Format of the document. Default: `yaml`. */
  readonly format?: "json" | "yaml";
  /**
   * Whether one document describes all hosts. If so, they must not share a
   * route. Default: `false`, a document for each host.
   */
  readonly merge?: boolean;
  /** Title of the document. Default: the names of the hosts. */
  readonly title?: string;
  /**
   * Base addresses by host, e.g. `https://api.example.com`. Default: the
   * address in the schema, otherwise the server that provides the document.
   */
  readonly addresses?: Readonly<Record<string, string>>;
  /** Example values of address parameters, e.g. `{ network: "polygon" }`. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/**
 * Frameworks that TanStack Query has a package for. `core` means no framework.
 */
export type QueryFramework =
  "core" | "preact" | "react" | "solid" | "svelte" | "vue";

/** Which methods are tools. */
export type ToolChoice = "all" | "annotated";

/** Options for the explorer. */
export interface DocsOptions {
  /** Heading of the page. Default: the names of the hosts. */
  readonly title?: string;
  /**
   * Base addresses by host, e.g. `https://api.example.com`, or a path on the
   * page's own server, such as `/{network}`. Default: the address in the
   * schema, otherwise that server.
   */
  readonly addresses?: Readonly<Record<string, string>>;
  /** Initial values of address parameters, e.g. `{ network: "polygon" }`. */
  readonly parameters?: Readonly<Record<string, string>>;
  /**
   * Module that snippets import the generated client from. Default:
   * `./generated`.
   */
  readonly importFrom?: string;
  /**
   * The RIDL of each host, by the path of its document, for download from the
   * page. The command line provides this map. Default: no download.
   */
  readonly schemas?: ReadonlyMap<string, string>;
}

/**
 * Files of ridlkit that emitters need. They are passed as data, so emitters
 * stay pure.
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
}

/**
 * A target: a pure function from a contract to files. Equal contracts and
 * options result in equal bytes. It may assume that the contract is valid.
 */
export interface Emitter {
  /** Name in the configuration, e.g. `client`. */
  readonly name: string;
  /**
   * Names of the emitters whose files this emitter's files import. Default:
   * none.
   */
  readonly needs?: readonly string[];
  /** Returns the files for a contract. */
  emit(contract: Contract, options: EmitOptions): readonly OutputFile[];
}
