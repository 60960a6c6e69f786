import {
  LineCounter,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  visit,
  type Document,
  type Node,
  type ParsedNode,
} from "yaml";
import {
  compareDiagnostics,
  type Diagnostic,
  type Diagnosed,
} from "../../generator/diagnostics/diagnostic.js";
import type { Location, Source } from "../../generator/source/source.js";
import { type Config, unlisted } from "./config.js";
import { explainFaults, type Locate } from "./config-faults.js";
import { impliedBy, toConfig } from "./to-config.js";

type ConfigDocument = Document.Parsed<ParsedNode>;

/**
 * Reads the text of a configuration file.
 *
 * Returns the configuration, or null if it has an error.
 * Errors: `config-syntax`, `unknown-config-key`, `missing-config-key`,
 * `invalid-config-value`.
 */
export function readConfig(source: Source): Diagnosed<Config | null> {
  try {
    return readDocument(source);
  } catch (error) {
    if (!(error instanceof YamlLimit)) throw error;
    const message = `the configuration cannot be read: ${error.message}`;
    const diagnostic = syntaxFault(message, [0, 0], source);
    return { value: null, diagnostics: [diagnostic] };
  }
}

/** Thrown if the YAML library refuses valid text, e.g. nested aliases. */
class YamlLimit extends Error {}

function withinLimits<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw new YamlLimit(error instanceof Error ? error.message : String(error));
  }
}

function readDocument(source: Source): Diagnosed<Config | null> {
  const document = withinLimits(() =>
    parseDocument(source.text, {
      lineCounter: new LineCounter(),
      prettyErrors: false,
    }),
  );
  const syntax = [
    ...[...document.errors, ...document.warnings].map(({ message, pos }) =>
      syntaxFault(
        `the configuration is not valid YAML: ${message}`,
        pos,
        source,
      ),
    ),
    ...findFaultyAliases(document, source),
  ];
  if (syntax.length > 0) return { value: null, diagnostics: syntax };

  const data: unknown = withinLimits(() => document.toJS());
  const locateIn: Locate = (path, part) => locate(document, source, path, part);
  const faults = explainFaults(data, locateIn).sort(compareDiagnostics);
  if (faults.length > 0) return { value: null, diagnostics: faults };
  const config = toConfig(data, locateIn);
  const repeated = findRepeatedTargets(config);
  return { value: repeated.length > 0 ? null : config, diagnostics: repeated };
}

/** Adds a target with its default setting, unless `emit` lists it. */
export function addTarget(config: Config, name: string): Config {
  const { options, targets } = config;
  if (targets.some((each) => each.name === name)) return config;
  return {
    ...config,
    targets: [...targets, unlisted(name)],
    options: { ...impliedBy([name]), ...options },
  };
}

/** Finds targets that `emit` lists more than once. */
function findRepeatedTargets({ targets }: Config): readonly Diagnostic[] {
  const first = new Map<string, Location>();
  return targets.flatMap(({ location, name }): readonly Diagnostic[] => {
    const before = first.get(name);
    if (location === null) return [];
    if (before === undefined) {
      first.set(name, location);
      return [];
    }
    return [
      {
        code: "invalid-config-value",
        severity: "error",
        message: `\`emit\` lists \`${name}\` twice`,
        location,
        related: [{ location: before, label: "first listed here" }],
        help: "remove one of them",
      },
    ];
  });
}

function syntaxFault(
  message: string,
  [start, end]: readonly [number, number, ...unknown[]],
  source: Source,
): Diagnostic {
  const location = { source, span: { start, end } };
  return { code: "config-syntax", severity: "error", message, location };
}

/**
 * Finds aliases of undefined names, e.g. `*.ridl` without quotes, which YAML
 * reads as a reference to `&.ridl`, and values that contain themselves.
 */
function findFaultyAliases(
  document: ConfigDocument,
  source: Source,
): Diagnostic[] {
  const found: Diagnostic[] = [];
  visit(document, {
    Alias: (_key, alias, ancestors) => {
      const name = `*${alias.source}`;
      const target = alias.resolve(document);
      if (target !== undefined) {
        if (ancestors.some((each) => each === target)) {
          const message = `\`${name}\` refers to a value that contains it`;
          found.push(syntaxFault(message, alias.range ?? [0, 0], source));
        }
        return;
      }
      const message = `\`${name}\` is a YAML reference to an undefined name`;
      found.push({
        ...syntaxFault(message, alias.range ?? [0, 0], source),
        help: `put a pattern in quotes: \`"${name}"\``,
      });
    },
  });
  return found;
}

/** Locates a value or its key. If neither exists, locates the document. */
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
