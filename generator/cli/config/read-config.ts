import { LineCounter, isMap, isScalar, isSeq, parseDocument } from "yaml";
import type { Document, Node, ParsedNode } from "yaml";
import type { Diagnostic, Outcome } from "../../diagnostics/diagnostic.js";
import type { Location, Source } from "../../source/source.js";
import type { Config, SchemaPattern } from "./config.js";
import { defaultConfig, isEmitterPath } from "./config.js";
import { explainFaults } from "./config-faults.js";

type ConfigDocument = Document.Parsed<ParsedNode>;

/**
 * Reads the text of a configuration file.
 *
 * Output: the configuration; null when it has an error.
 * Errors: `config-syntax`, `unknown-config-key`, `missing-config-key`,
 * `invalid-config-value`.
 */
export function readConfig(source: Source): Outcome<Config | null> {
  const document = parseDocument(source.text, {
    lineCounter: new LineCounter(),
    prettyErrors: false,
  });
  const syntax = [...document.errors, ...document.warnings].map(
    ({ message, pos: [start, end] }): Diagnostic => ({
      code: "config-syntax",
      severity: "error",
      message: `the configuration is not valid YAML: ${message}`,
      location: { source, span: { start, end } },
    }),
  );
  if (syntax.length > 0) return { value: null, diagnostics: syntax };

  const data: unknown = document.toJS();
  const faults = explainFaults(data, (path, part) =>
    locate(document, source, path, part),
  );
  if (faults.length > 0) return { value: null, diagnostics: faults };
  return { value: toConfig(data, document, source), diagnostics: [] };
}

/** Place of a value or of its key; the nearest place above if it has none. */
function locate(
  document: ConfigDocument,
  source: Source,
  path: readonly string[],
  part: "key" | "value",
): Location {
  const parent = document.getIn(path.slice(0, -1), true);
  const last = path.at(-1);
  const key =
    part === "key" && isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && key.value === last)?.key
      : undefined;
  const node = key ?? document.getIn(path, true) ?? document.contents;
  const range = isNode(node) ? node.range : null;
  const [start, end] = range ?? [0, 0];
  return { source, span: { start, end } };
}

function isNode(value: unknown): value is Node {
  return isScalar(value) || isMap(value) || isSeq(value);
}

/** The data has passed the validator: only types are left to be said. */
function toConfig(
  data: unknown,
  document: ConfigDocument,
  source: Source,
): Config {
  const given = data as Partial<Config["options"]> & {
    readonly schema: readonly string[];
    readonly out?: string;
    readonly emit?: readonly string[];
    readonly lint?: Partial<Config["lint"]>;
  };
  const { options } = defaultConfig;
  const isAsked = given.emit?.includes("compat") === true;
  const compat = given.compat ?? (isAsked ? "webrpc" : undefined);
  const out = given.out ?? defaultConfig.out;
  const isDocsAsked = given.emit?.includes("docs") === true;
  const docs = given.docs ?? (isDocsAsked ? {} : undefined);
  return {
    schema: given.schema.map((pattern, index): SchemaPattern => ({
      pattern,
      location: locate(document, source, ["schema", String(index)], "value"),
    })),
    out,
    emit: given.emit ?? null,
    emitterModules: (given.emit ?? []).flatMap((path, index) =>
      isEmitterPath(path)
        ? {
            path,
            location: locate(
              document,
              source,
              ["emit", String(index)],
              "value",
            ),
          }
        : [],
    ),
    docsHosts: Object.keys(docs?.addresses ?? {}).map((name) => ({
      name,
      location: locate(document, source, ["docs", "addresses", name], "key"),
    })),
    options: {
      int64: given.int64 ?? options.int64,
      timestamp: given.timestamp ?? options.timestamp,
      runtime: given.runtime ?? options.runtime,
      importExtension: given.importExtension ?? options.importExtension,
      ...(compat && { compat }),
      ...(docs && { docs: { importFrom: `./${out}`, ...docs } }),
    },
    lint: {
      ...defaultConfig.lint,
      ...given.lint,
      int64: given.int64 ?? options.int64,
    },
  };
}
