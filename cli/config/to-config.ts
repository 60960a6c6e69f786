import { isRecord } from "../../generator/ir/is-record.js";
import type { Location } from "../../generator/source/source.js";
import type {
  Config,
  ConfiguredTarget,
  EmitterModule,
  FilterConfig,
  FilterEntry,
  NameMention,
  SchemaPattern,
  Unused,
} from "./config.js";
import { defaultConfig } from "./config.js";
import { configSchema, schemaNamed, type Locate } from "./config-faults.js";

/** The configuration before defaults are filled in. */
interface ConfigInput extends Partial<Omit<Config["options"], "skew">> {
  readonly schema: readonly string[];
  readonly out?: string;
  readonly emit?: readonly EmitInput[];
  readonly templates?: string;
  readonly importFolders?: readonly string[];
  readonly declarationMaps?: boolean;
  readonly filter?: FilterInput;
  readonly lint?: Partial<Config["lint"]>;
  readonly breaking?: {
    readonly against?: string;
    readonly strict?: boolean;
    readonly rules?: Config["breaking"]["rules"];
  };
  readonly skew?: Partial<NonNullable<Config["skew"]>>;
}

/** The name of a target or path of an emitter, or one key with its setting. */
type EmitInput = string | Readonly<Record<string, unknown>>;

/** The setting `filter` before defaults are filled in. */
interface FilterInput extends Partial<Record<FilterList, readonly string[]>> {
  readonly unused?: Unused;
}

type FilterList = "services" | "match" | "ignore";

/** Fills in the defaults of a valid configuration. */
export function toConfig(data: unknown, locate: Locate): Config {
  const input = data as ConfigInput;
  const { options } = defaultConfig;
  const entries = (input.emit ?? []).map((entry, index) =>
    toEntry(entry, ["emit", String(index)], locate),
  );
  const { declarationMaps = false, explicitUndefined, nullAsEmpty } = input;
  const { readonlyLists, runtimeFiles } = input;
  const language =
    input.language ?? (declarationMaps ? "javascript" : undefined);
  return {
    schema: input.schema.map((pattern, index): SchemaPattern => ({
      pattern,
      location: locate(["schema", String(index)], "value"),
    })),
    out: input.out ?? defaultConfig.out,
    targets: input.emit
      ? entries.filter(({ name }) => targetNames.has(name))
      : defaultConfig.targets,
    emitterModules: entries
      .filter(({ name }) => !targetNames.has(name))
      .map(({ location, name, setting }): EmitterModule => ({
        name,
        path: name,
        options: isRecord(setting) ? setting : {},
        location,
      })),
    templates:
      input.templates === undefined
        ? null
        : {
            path: input.templates,
            location: locate(["templates"], "value"),
          },
    nameMentions: entries.flatMap((entry) => findMentions(entry, locate)),
    importFolders: input.importFolders ?? [],
    declarationMaps,
    options: {
      ...(language && { language }),
      int64: input.int64 ?? options.int64,
      timestamp: input.timestamp ?? options.timestamp,
      runtime: input.runtime ?? (runtimeFiles ? "copy" : options.runtime),
      importExtension: input.importExtension ?? options.importExtension,
      ...(runtimeFiles && { runtimeFiles }),
      ...(explicitUndefined && { explicitUndefined }),
      ...(readonlyLists && { readonlyLists }),
      ...impliedBy(entries.map(({ name }) => name)),
      ...(nullAsEmpty !== undefined && { nullAsEmpty }),
    },
    filter: toFilter(input.filter ?? {}, locate),
    lint: {
      ...defaultConfig.lint,
      ...input.lint,
      words: [...(input.lint?.words ?? []), ...wordsIn(input.filter ?? {})],
      int64: input.int64 ?? options.int64,
    },
    breaking: {
      against: input.breaking?.against ?? defaultConfig.breaking.against,
      isStrict: input.breaking?.strict ?? defaultConfig.breaking.isStrict,
      rules: input.breaking?.rules ?? defaultConfig.breaking.rules,
    },
    skew: input.skew
      ? { history: "ridl.history.json", releases: "v*", ...input.skew }
      : null,
  };
}

/** The names that `emit` reserves for targets. */
export const targetNames: ReadonlySet<string> = new Set(
  schemaNamed("target").enum,
);

/** Returns the options whose default differs because of some targets. */
export function impliedBy(
  targets: readonly string[],
): Partial<Config["options"]> {
  const { implies = {} } = configSchema.properties?.["emit"] ?? {};
  return Object.assign({}, ...targets.map((name) => implies[name] ?? {}));
}

function toFilter(input: FilterInput, locate: Locate): FilterConfig {
  const entriesOf = (key: FilterList): readonly FilterEntry[] =>
    (input[key] ?? []).map((text, index) => ({
      text,
      location: locate(["filter", key, String(index)], "value"),
    }));
  return {
    services: entriesOf("services"),
    match: entriesOf("match"),
    ignore: entriesOf("ignore"),
    unused: input.unused ?? defaultConfig.filter.unused,
  };
}

/** Returns the annotations that a filter names, without `@` and values. */
function wordsIn({ match = [], ignore = [] }: FilterInput): readonly string[] {
  return [...match, ...ignore].map((each) =>
    each.replace(/^@/u, "").replace(/:.*$/su, ""),
  );
}

/** An entry of `emit` and its place in the configuration. */
interface EmitEntry extends ConfiguredTarget {
  readonly location: Location;
  /** Keys from the outermost to those of its setting. */
  readonly path: readonly string[];
}

function toEntry(
  entry: EmitInput,
  place: readonly string[],
  locate: Locate,
): EmitEntry {
  if (typeof entry === "string") {
    const location = locate(place, "value");
    return { name: entry, location, path: place, keys: new Map() };
  }
  const [[name, setting] = ["", undefined]] = Object.entries(entry);
  const path = [...place, name];
  const keys = isRecord(setting) ? Object.keys(setting) : [];
  return {
    name,
    setting,
    location: locate(path, "key"),
    path,
    keys: new Map(keys.map((key) => [key, locate([...path, key], "key")])),
  };
}

/** Finds the hosts and parameters that the keys of a target's setting name. */
function findMentions(
  { name: target, path, setting }: EmitEntry,
  locate: Locate,
): readonly NameMention[] {
  if (!targetNames.has(target) || !isRecord(setting)) return [];
  return mentionKinds.flatMap(([kind, part]) =>
    Object.entries(setting[part] ?? {}).map(([name, value]) => ({
      kind,
      setting: `${target}.${part}`,
      name,
      value: String(value),
      location: locate([...path, part, name], "key"),
    })),
  );
}

/** Keys of settings whose own keys are names in the contract. */
const mentionKinds = [
  ["host", "addresses"],
  ["parameter", "parameters"],
] as const;
