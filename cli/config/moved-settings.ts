import { Document } from "yaml";
import type { Diagnostic } from "../../generator/diagnostics/diagnostic.js";
import { isRecord } from "../../generator/ir/is-record.js";
import { kebabCase } from "../../generator/4-emit/names/casing.js";
import type { Locate } from "./config-faults.js";

/** Settings that chose a target before `emit` did. */
const moved: ReadonlySet<string> = new Set([
  ..."compat docs jsonSchema markdown mcp mock openapi query schemas".split(
    " ",
  ),
  "schemasWithJson",
]);

/**
 * Finds settings that are now part of `emit`, and custom emitters written as
 * `path` and `options`. Explains all of them with one diagnostic, whose help is
 * the list to write instead. Errors: `unknown-config-key`.
 */
export function findMovedSettings(
  data: unknown,
  locate: Locate,
): readonly Diagnostic[] {
  if (!isRecord(data)) return [];
  const places = findPlaces(data);
  const [first, ...others] = places;
  if (first === undefined) return [];
  const name = first.join(".");
  const list = printFlow(currentEntries(data));
  return [
    {
      code: "unknown-config-key",
      severity: "error",
      message: `there is no setting \`${name}\`; \`emit\` chooses targets and sets them up`,
      location: locate(first, "key"),
      related: others.map((place) => ({
        location: locate(place, "key"),
        label: "this also belongs in `emit`",
      })),
      help: `replace ${places.length === 1 ? "it" : "them"} with \`emit: ${list}\``,
    },
  ];
}

/** Moves the settings that {@link findMovedSettings} finds into `emit`. */
export function moveSettings(data: unknown): unknown {
  if (!isRecord(data) || findPlaces(data).length === 0) return data;
  const kept = Object.entries(data).filter(([key]) => !moved.has(key));
  return { ...Object.fromEntries(kept), emit: currentEntries(data) };
}

type Mapping = Readonly<Record<string, unknown>>;

function entriesIn({ emit }: Mapping): readonly unknown[] {
  return Array.isArray(emit) ? emit : [];
}

function findPlaces(data: Mapping): readonly (readonly string[])[] {
  return [
    ...Object.keys(data)
      .filter((key) => moved.has(key))
      .map((key) => [key]),
    ...entriesIn(data).flatMap((entry, index) =>
      isRecord(entry) && typeof entry["path"] === "string"
        ? [["emit", String(index), "path"]]
        : [],
    ),
  ];
}

/** Returns the entries of `emit` that mean the same as the old settings. */
function currentEntries(data: Mapping): readonly unknown[] {
  const settings = new Map(
    Object.entries(data)
      .filter(([key]) => moved.has(key))
      .map(([key, value]) => [kebabCase(key), value]),
  );
  const entries = (
    data["emit"] === undefined ? ["defaults"] : entriesIn(data)
  ).map((entry) => {
    if (isRecord(entry) && typeof entry["path"] === "string") {
      return entryOf(entry["path"], entry["options"]);
    }
    if (typeof entry !== "string") return entry;
    const setting = settings.get(entry);
    settings.delete(entry);
    return entryOf(entry, setting);
  });
  const added = [...settings].filter(([, value]) => value !== false);
  return [...entries, ...added.map(([key, value]) => entryOf(key, value))];
}

function entryOf(name: string, setting: unknown): unknown {
  const isPlain =
    typeof setting === "boolean" ||
    setting === undefined ||
    name === "compat" ||
    (isRecord(setting) && Object.keys(setting).length === 0);
  return isPlain ? name : { [name]: setting };
}

/** Prints YAML on one line. */
function printFlow(list: readonly unknown[]): string {
  const document = new Document(list);
  return document
    .toString({
      collectionStyle: "flow",
      flowCollectionPadding: false,
      lineWidth: 0,
    })
    .trim();
}
