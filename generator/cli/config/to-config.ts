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
interface ConfigInput extends Partial<Config["options"]> {
  readonly schema: readonly string[];
  readonly out?: string;
  readonly emit?: readonly EmitEntry[];
  readonly importFolders?: readonly string[];
  readonly declarationMaps?: boolean;
  readonly filter?: FilterInput;
  readonly lint?: Partial<Config["lint"]>;
  readonly breaking?: {
    readonly against?: string;
    readonly strict?: boolean;
    readonly rules?: Config["breaking"]["rules"];
  };
}

/** The setting `filter` before defaults are filled in. */
interface FilterInput extends Partial<Record<FilterList, readonly string[]>> {
  readonly unused?: Unused;
}

type FilterList = "services" | "match" | "ignore";

/** Fills in the defaults of a valid configuration. */
export function toConfig(data: unknown, locate: Locate): Config {
  const input = data as ConfigInput;
  const { options } = defaultConfig;
  const isAsked = (target: string): boolean =>
    input.emit?.includes(target) === true;
  const compat = input.compat ?? (isAsked("compat") ? "webrpc" : undefined);
  const out = input.out ?? defaultConfig.out;
  const query = input.query ?? (isAsked("query") ? "react" : undefined);
  const { declarationMaps = false, nullAsEmpty, runtimeFiles } = input;
  const language =
    input.language ?? (declarationMaps ? "javascript" : undefined);
  const docs = input.docs ?? (isAsked("docs") ? {} : undefined);
  const openapi = input.openapi ?? (isAsked("openapi") ? {} : undefined);
  const mcp = input.mcp ?? (isAsked("mcp") ? "all" : undefined);
  return {
    schema: input.schema.map((pattern, index): SchemaPattern => ({
      pattern,
      location: locate(["schema", String(index)], "value"),
    })),
    out,
    emit: input.emit ?? null,
    emitterModules: (input.emit ?? []).flatMap((entry, index) =>
      toModule(entry, ["emit", String(index)], locate),
    ),
    nameMentions: findMentions({ docs, openapi }, locate),
    mergeLocation:
      openapi?.merge === true ? locate(["openapi", "merge"], "key") : null,
    importFolders: input.importFolders ?? [],
    declarationMaps,
    options: {
      ...(language && { language }),
      int64: input.int64 ?? options.int64,
      timestamp: input.timestamp ?? options.timestamp,
      runtime: input.runtime ?? (runtimeFiles ? "copy" : options.runtime),
      importExtension: input.importExtension ?? options.importExtension,
      ...(runtimeFiles && { runtimeFiles }),
      ...(compat && { compat }),
      ...(nullAsEmpty !== undefined && { nullAsEmpty }),
      ...(query && { query }),
      ...((input.schemas ?? isAsked("schemas")) && { schemas: true }),
      ...((input.schemasWithJson ?? isAsked("schemas-with-json")) && {
        schemasWithJson: true,
      }),
      ...(docs && { docs: { importFrom: `./${out}`, ...docs } }),
      ...((input.jsonSchema ?? isAsked("json-schema")) && { jsonSchema: true }),
      ...((input.markdown ?? isAsked("markdown")) && { markdown: true }),
      ...(mcp && { mcp }),
      ...((input.mock ?? isAsked("mock")) && { mock: true }),
      ...(openapi && { openapi }),
    },
    filter: toFilter(input.filter ?? {}, locate),
    lint: {
      ...defaultConfig.lint,
      ...input.lint,
      int64: input.int64 ?? options.int64,
    },
    breaking: {
      against: input.breaking?.against ?? defaultConfig.breaking.against,
      isStrict: input.breaking?.strict ?? defaultConfig.breaking.isStrict,
      rules: input.breaking?.rules ?? defaultConfig.breaking.rules,
    },
  };
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

/**
 * Lists the custom emitter that an entry names. Returns an empty list for a
 * target.
 */
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
