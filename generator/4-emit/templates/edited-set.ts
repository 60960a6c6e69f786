import type { Source } from "../../source/source.js";
import { findChoices, type NameChoice } from "./check-templates.js";
import { parseTemplate } from "./parse-template.js";
import {
  entriesOf,
  nameOfTemplate,
  templateExtension,
} from "./template-set.js";

/** The files of a template set, some of which are being edited. */
export interface EditedSet {
  /** The files by their paths, e.g. `type/struct.hbs`. */
  readonly sources: ReadonlyMap<string, Source>;
  /** The record that files print, or null if that depends on their paths. */
  readonly record: string | null;
}

/** Lists the templates that other templates can call. */
export function partialsOf({ sources }: EditedSet): readonly string[] {
  return templatesIn(sources).flatMap(([name]) =>
    name.startsWith("files/") ? [] : name,
  );
}

/** Finds a template by its path in diagnostics. Returns its name and source. */
export function findTemplate(
  { sources }: EditedSet,
  path: string,
): readonly [string, Source] | undefined {
  return templatesIn(sources).find(([, source]) => source.path === path);
}

function templatesIn(
  sources: EditedSet["sources"],
): readonly (readonly [string, Source])[] {
  return [...sources].flatMap(([path, source]) =>
    path.endsWith(templateExtension)
      ? [[nameOfTemplate(path), source] as const]
      : [],
  );
}

/**
 * Finds what a path could name in a template.
 *
 * Input: the template's name; its text, in which the last name of the path is
 * `wanted`, a name that the view does not have.
 */
export function findChoicesAt(
  { record, sources }: EditedSet,
  name: string,
  text: string,
  wanted: string,
): readonly NameChoice[] {
  const templates = new Map(
    [...templatesIn(sources), [name, { path: name, text }] as const].map(
      ([each, source]) => [each, parseTemplate(each, source).value],
    ),
  );
  return findChoices(entriesOf(templates, record), templates, wanted);
}
