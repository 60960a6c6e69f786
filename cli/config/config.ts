import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import type { TargetChoice } from "../../generator/4-emit/select-targets.js";
import type { BreakingOptions } from "../../tools/breaking/options.js";
import { defaultBreakingOptions } from "../../tools/breaking/options.js";
import type { LintOptions } from "../../generator/lint/lint-options.js";
import { defaultLintOptions } from "../../generator/lint/lint-options.js";
import type { Location } from "../../generator/source/source.js";

/** The contents of `ridl.config.yaml`, with defaults filled in. */
export interface Config {
  /** Patterns of the documents, relative to the configuration file. */
  readonly schema: readonly SchemaPattern[];
  /** Output folder, relative to the configuration file. */
  readonly out: string;
  /** Targets in `emit`, with their settings. */
  readonly targets: readonly ConfiguredTarget[];
  /** Custom emitters in `emit`. */
  readonly emitterModules: readonly EmitterModule[];
  /** The folder with templates that replace ridlkit's own, or null. */
  readonly templates: TemplateFolder | null;
  /** Hosts and parameters that settings refer to. */
  readonly nameMentions: readonly NameMention[];
  /** Folders outside the project that documents may import from. */
  readonly importFolders: readonly string[];
  /** Whether declaration files get maps that point to the documents. */
  readonly declarationMaps: boolean;
  readonly options: EmitOptions;
  readonly filter: FilterConfig;
  readonly lint: LintOptions;
  readonly breaking: BreakingConfig;
  /** What clients and servers say about contracts, or null for nothing. */
  readonly skew: SkewConfig | null;
}

/** Where the released contracts of a project are. */
export interface SkewConfig {
  /** The file that describes them, relative to the configuration. */
  readonly history: string;
  /** A pattern of git tags, or a folder with a folder for each version. */
  readonly releases: string;
}

/** Selects the part of the contract that output is generated from. */
export interface FilterConfig {
  /** Names of services. */
  readonly services: readonly FilterEntry[];
  /** Annotations such as `@public` or `@auth:X-Key`. A method must have one. */
  readonly match: readonly FilterEntry[];
  /** Annotations that a method must not have. */
  readonly ignore: readonly FilterEntry[];
  /**
   * Whether types, errors, and credentials that no method needs are kept. Null
   * means that the default depends on the rest of the filter.
   */
  readonly unused: Unused | null;
}

/** Whether types, errors and credentials that no method needs are kept. */
export type Unused = "keep" | "omit";

/** A name in a filter and its location. */
export interface FilterEntry {
  readonly text: string;
  /** Location of the entry, or null if it was given on the command line. */
  readonly location: Location | null;
}

/** Settings of `ridl breaking`. */
export interface BreakingConfig extends BreakingOptions {
  /** A revision or a folder. Null means the main branch of the repository. */
  readonly against: string | null;
}

/** A pattern and its location. */
export interface SchemaPattern {
  readonly pattern: string;
  /** Location of the pattern, or null if it was given on the command line. */
  readonly location: Location | null;
}

/** A target, as listed in the configuration. */
export interface ConfiguredTarget extends TargetChoice {
  /** Location of the entry, or null if the configuration does not list it. */
  readonly location: Location | null;
  /** Locations of the keys of its setting. */
  readonly keys: ReadonlyMap<string, Location>;
}

/** A custom emitter or a set of templates, as listed in the configuration. */
export interface EmitterModule {
  /** A path, e.g. `./routes.js`, or the name of a package with templates. */
  readonly name: string;
  /**
   * Path of the module or folder, relative to the configuration, e.g.
   * `./routes.js` or `node_modules/@acme/ridl-sql/templates`. The name of a
   * package until `createProject` looks for it.
   */
  readonly path: string;
  /** Options for the emitter. Empty if the configuration has none. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly location: Location;
}

/**
 * Whether an entry of `emit` names a folder with templates. The name of a module
 * has an extension.
 */
export function isTemplateFolder({ path }: EmitterModule): boolean {
  return !/[^./]\.[^./]+$/u.test(path);
}

/**
 * Whether an entry of `emit` is a path. Names of targets and packages never start
 * with a dot.
 */
export function isPath(name: string): boolean {
  return name.startsWith(".");
}

/** Whether a project has templates of its own. */
export function hasTemplates({
  emitterModules,
  templates,
}: Pick<Config, "emitterModules" | "templates">): boolean {
  return templates !== null || emitterModules.some(isTemplateFolder);
}

/** The folder of templates, as the configuration gives it. */
export interface TemplateFolder {
  /** Path relative to the configuration. */
  readonly path: string;
  readonly location: Location;
}

/** A name in the contract that the configuration refers to. */
export interface NameMention {
  readonly kind: "host" | "parameter";
  /** The setting, e.g. `docs.addresses`. */
  readonly setting: string;
  readonly name: string;
  /** The value of the key, e.g. an address. */
  readonly value: string;
  readonly location: Location;
}

/** Name of the configuration file, unless `--config` gives another. */
export const configFileName = "ridl.config.yaml";

/** Default output folder. */
export const defaultOutput = "generated";

/** Guesses the output folder of a configuration without loading a YAML parser. */
export function guessOutput(config: string): string {
  const [, out] = /^out: *["']?([^"'#\s]+)/mu.exec(config) ?? [];
  return out ?? defaultOutput;
}

/** Returns a target that the configuration does not list. */
export function unlisted(name: string): ConfiguredTarget {
  return { name, location: null, keys: new Map() };
}

/** Returns the setting that `emit` gives a target, or undefined. */
export function settingOf(
  { targets }: Pick<Config, "targets">,
  target: string,
): unknown {
  return targets.find(({ name }) => name === target)?.setting;
}

/** Default settings. */
export const defaultConfig: Config = {
  schema: [],
  out: defaultOutput,
  targets: [unlisted("defaults")],
  emitterModules: [],
  templates: null,
  nameMentions: [],
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
  skew: null,
};
