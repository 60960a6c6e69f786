import type { DocsOptions } from "../../4-emit/emitter/emitter.js";
import type {
  Config,
  EmitEntry,
  EmitterModule,
  FilterConfig,
  FilterEntry,
  NameMention,
  SchemaPattern,
  Unused,
} from "./config.js";
import { defaultConfig } from "./config.js";
import type { Locate } from "./config-faults.js";

/** The configuration before defaults are filled in. */
interface GivenConfig extends Partial<Config["options"]> {
  readonly schema: readonly string[];
  readonly out?: string;
  readonly emit?: readonly EmitEntry[];
  readonly importFolders?: readonly string[];
  readonly declarationMaps?: boolean;
  readonly filter?: GivenFilter;
  readonly lint?: Partial<Config["lint"]>;
  readonly breaking?: {
    readonly against?: string;
    readonly strict?: boolean;
    readonly rules?: Config["breaking"]["rules"];
  };
}

/** The setting `filter` before defaults are filled in. */
interface GivenFilter extends Partial<Record<FilterList, readonly string[]>> {
  readonly unused?: Unused;
}

type FilterList = "services" | "match" | "ignore";

/**
 * Fills in the defaults of a configuration.
 * Input: data that `explainFaults` has found valid.
 */
export function toConfig(data: unknown, locate: Locate): Config {
  const given = data as GivenConfig;
  const { options } = defaultConfig;
  const isAsked = (target: string): boolean =>
    given.emit?.includes(target) === true;
  const compat = given.compat ?? (isAsked("compat") ? "webrpc" : undefined);
  const out = given.out ?? defaultConfig.out;
  const query = given.query ?? (isAsked("query") ? "react" : undefined);
  const { declarationMaps = false, nullAsEmpty, runtimeFiles } = given;
  const language =
    given.language ?? (declarationMaps ? "javascript" : undefined);
  const docs = given.docs ?? (isAsked("docs") ? {} : undefined);
  const openapi = given.openapi ?? (isAsked("openapi") ? {} : undefined);
  const mcp = given.mcp ?? (isAsked("mcp") ? "all" : undefined);
  return {
    schema: given.schema.map((pattern, index): SchemaPattern => ({
      pattern,
      location: locate(["schema", String(index)], "value"),
    })),
    out,
    emit: given.emit ?? null,
    emitterModules: (given.emit ?? []).flatMap((entry, index) =>
      toModule(entry, ["emit", String(index)], locate),
    ),
    nameMentions: findMentions({ docs, openapi }, locate),
    mergeLocation:
      openapi?.merge === true ? locate(["openapi", "merge"], "key") : null,
    importFolders: given.importFolders ?? [],
    declarationMaps,
    options: {
      ...(language && { language }),
      int64: given.int64 ?? options.int64,
      timestamp: given.timestamp ?? options.timestamp,
      runtime: given.runtime ?? (runtimeFiles ? "copy" : options.runtime),
      importExtension: given.importExtension ?? options.importExtension,
      ...(runtimeFiles && { runtimeFiles }),
      ...(compat && { compat }),
      ...(nullAsEmpty !== undefined && { nullAsEmpty }),
      ...(query && { query }),
      ...((given.schemas ?? isAsked("schemas")) && { schemas: true }),
      ...((given.schemasWithJson ?? isAsked("schemas-with-json")) && {
        schemasWithJson: true,
      }),
      ...(docs && { docs: { importFrom: `./${out}`, ...docs } }),
      ...((given.jsonSchema ?? isAsked("json-schema")) && { jsonSchema: true }),
      ...((given.markdown ?? isAsked("markdown")) && { markdown: true }),
      ...(mcp && { mcp }),
      ...((given.mock ?? isAsked("mock")) && { mock: true }),
      ...(openapi && { openapi }),
    },
    filter: toFilter(given.filter ?? {}, locate),
    lint: {
      ...defaultConfig.lint,
      ...given.lint,
      int64: given.int64 ?? options.int64,
    },
    breaking: {
      against: given.breaking?.against ?? defaultConfig.breaking.against,
      isStrict: given.breaking?.strict ?? defaultConfig.breaking.isStrict,
      rules: given.breaking?.rules ?? defaultConfig.breaking.rules,
    },
  };
}

function toFilter(given: GivenFilter, locate: Locate): FilterConfig {
  const entriesOf = (key: FilterList): readonly FilterEntry[] =>
    (given[key] ?? []).map((text, index) => ({
      text,
      location: locate(["filter", key, String(index)], "value"),
    }));
  return {
    services: entriesOf("services"),
    match: entriesOf("match"),
    ignore: entriesOf("ignore"),
    unused: given.unused ?? defaultConfig.filter.unused,
  };
}

/** Finds the hosts and parameters that the keys of settings refer to. */
function findMentions(
  settings: Readonly<Record<"docs" | "openapi", Mentions | undefined>>,
  locate: Locate,
): readonly NameMention[] {
  return Object.entries(settings).flatMap(([setting, value]) =>
    mentionKinds.flatMap(([kind, part]) =>
      Object.keys(value?.[part] ?? {}).map((name) => ({
        kind,
        setting: `${setting}.${part}`,
        name,
        location: locate([setting, part, name], "key"),
      })),
    ),
  );
}

/** Settings whose keys are names in the contract. */
type Mentions = Pick<DocsOptions, "addresses" | "parameters">;

const mentionKinds = [
  ["host", "addresses"],
  ["parameter", "parameters"],
] as const;

/** Returns the project's emitter that an entry names; empty for a target. */
function toModule(
  entry: EmitEntry,
  place: readonly string[],
  locate: Locate,
): readonly EmitterModule[] {
  if (typeof entry !== "string") {
    const location = locate([...place, "path"], "value");
    return [{ options: {}, ...entry, location }];
  }
  // Names of targets never start with a dot.
  if (!entry.startsWith(".")) return [];
  return [{ path: entry, options: {}, location: locate(place, "value") }];
}
