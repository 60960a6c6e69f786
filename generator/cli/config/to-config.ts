import type {
  Config,
  EmitEntry,
  EmitterModule,
  SchemaPattern,
} from "./config.js";
import { defaultConfig } from "./config.js";
import type { Locate } from "./config-faults.js";

/**
 * The configuration with its defaults.
 * Input: data that has passed the validator: only types are left to be said.
 */
export function toConfig(data: unknown, locate: Locate): Config {
  const given = data as Partial<Config["options"]> & {
    readonly schema: readonly string[];
    readonly out?: string;
    readonly emit?: readonly EmitEntry[];
    readonly importFolders?: readonly string[];
    readonly lint?: Partial<Config["lint"]>;
    readonly breaking?: {
      readonly against?: string;
      readonly strict?: boolean;
      readonly rules?: Config["breaking"]["rules"];
    };
  };
  const { options } = defaultConfig;
  const compat = orListed(given, given.compat, "compat", "webrpc");
  const out = given.out ?? defaultConfig.out;
  const query = orListed(given, given.query, "query", "react");
  const { nullAsEmpty, runtimeFiles } = given;
  const docs = orListed(given, given.docs, "docs", {});
  const openapi = orListed(given, given.openapi, "openapi", {});
  const mcp = orListed(given, given.mcp, "mcp", "all");
  const jsonSchema = orListed(given, given.jsonSchema, "json-schema", true);
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
    hostMentions: Object.entries({ docs, openapi }).flatMap(
      ([setting, value]) =>
        Object.keys(value?.addresses ?? {}).map((name) => ({
          setting: `${setting}.addresses`,
          name,
          location: locate([setting, "addresses", name], "key"),
        })),
    ),
    importFolders: given.importFolders ?? [],
    options: {
      ...(given.language && { language: given.language }),
      int64: given.int64 ?? options.int64,
      timestamp: given.timestamp ?? options.timestamp,
      runtime: given.runtime ?? (runtimeFiles ? "copy" : options.runtime),
      importExtension: given.importExtension ?? options.importExtension,
      ...(runtimeFiles && { runtimeFiles }),
      ...(compat && { compat }),
      ...(nullAsEmpty !== undefined && { nullAsEmpty }),
      ...(query && { query }),
      ...(mcp && { mcp }),
      ...(docs && { docs: { importFrom: `./${out}`, ...docs } }),
      ...(jsonSchema && { jsonSchema }),
      ...(openapi && { openapi }),
    },
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

/** A setting, or what it is if `emit` lists its target. */
function orListed<Value>(
  { emit }: { readonly emit?: readonly EmitEntry[] },
  value: Value | undefined,
  target: string,
  usual: Value,
): Value | undefined {
  return value ?? (emit?.includes(target) === true ? usual : undefined);
}

/** The emitter of the project that an entry names; none if it is a target. */
function toModule(
  entry: EmitEntry,
  place: readonly string[],
  locate: Locate,
): readonly EmitterModule[] {
  if (typeof entry !== "string") {
    const location = locate([...place, "path"], "value");
    return [{ options: {}, ...entry, location }];
  }
  // The names of targets have no dot.
  if (!entry.startsWith(".")) return [];
  return [{ path: entry, options: {}, location: locate(place, "value") }];
}
