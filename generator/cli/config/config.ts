import type { EmitOptions } from "../../4-emit/emitter/emitter.js";
import type { BreakingOptions } from "../../breaking/options.js";
import { defaultBreakingOptions } from "../../breaking/options.js";
import type { LintOptions } from "../../lint/lint-options.js";
import { defaultLintOptions } from "../../lint/lint-options.js";
import type { Location } from "../../source/source.js";

/** What `ridl.config.yaml` says, defaults filled in. */
export interface Config {
  /** Patterns of the documents, relative to the configuration file. */
  readonly schema: readonly SchemaPattern[];
  /** Output folder, relative to the configuration file. */
  readonly out: string;
  /** Targets, and emitters of the project; null means all targets. */
  readonly emit: readonly EmitEntry[] | null;
  /** The emitters of the project among them. */
  readonly emitterModules: readonly EmitterModule[];
  /** Hosts and parameters that settings name. */
  readonly nameMentions: readonly NameMention[];
  /** Where `openapi.merge` is set; null if it is not. */
  readonly mergeLocation: Location | null;
  /** Folders outside of the project that documents may import from. */
  readonly importFolders: readonly string[];
  /** Whether declaration files get maps that lead to the documents. */
  readonly declarationMaps: boolean;
  readonly options: EmitOptions;
  readonly filter: FilterConfig;
  readonly lint: LintOptions;
  readonly breaking: BreakingConfig;
}

/** Which part of the contract output is made of. */
export interface FilterConfig {
  /** Names of services. */
  readonly services: readonly FilterEntry[];
  /** Annotations such as `@public` or `@auth:X-Key`; a method needs one. */
  readonly match: readonly FilterEntry[];
  /** Annotations that a method must not have. */
  readonly ignore: readonly FilterEntry[];
  /** What happens to types that no method needs; null: it depends on the rest. */
  readonly unused: Unused | null;
}

/** What happens to types, errors and credentials that no method needs. */
export type Unused = "keep" | "omit";

/** A name that output is filtered by, and where it was written. */
export interface FilterEntry {
  readonly text: string;
  /** null when it was given on the command line. */
  readonly location: Location | null;
}

/** What `ridl breaking` goes by. */
export interface BreakingConfig extends BreakingOptions {
  /** A revision or a folder; null: the main branch of the repository. */
  readonly against: string | null;
}

/** One pattern, and where it was written. */
export interface SchemaPattern {
  readonly pattern: string;
  /** null when it was given on the command line. */
  readonly location: Location | null;
}

/** An entry of `emit`: a target, or an emitter of the project by its path. */
export type EmitEntry =
  string | (Pick<EmitterModule, "path"> & Partial<EmitterOptions>);

type EmitterOptions = Pick<EmitterModule, "options">;

/** An emitter of the project itself, as the configuration names it. */
export interface EmitterModule {
  /** As written, relative to the configuration file, e.g. `./routes.js`. */
  readonly path: string;
  /** What the configuration says to the emitter; empty if it says nothing. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Where the path stands. */
  readonly location: Location;
}

/** The name of a part of the contract, where the configuration has it. */
export interface NameMention {
  readonly kind: "host" | "parameter";
  /** The setting, e.g. `docs.addresses`. */
  readonly setting: string;
  readonly name: string;
  readonly location: Location;
}

/** The name looked for when `--config` does not give another. */
export const configFileName = "ridl.config.yaml";

/** Where files go when the configuration does not say. */
export const defaultOutput = "generated";

/** What holds where the configuration says nothing. */
export const defaultConfig: Config = {
  schema: [],
  out: defaultOutput,
  emit: null,
  emitterModules: [],
  nameMentions: [],
  mergeLocation: null,
  importFolders: [],
  declarationMaps: false,
  options: {
    int64: "number",
    timestamp: "string",
    runtime: "import",
    importExtension: ".js",
  },
  filter: { services: [], match: [], ignore: [], unused: null },
  lint: defaultLintOptions,
  breaking: { ...defaultBreakingOptions, against: null },
};
