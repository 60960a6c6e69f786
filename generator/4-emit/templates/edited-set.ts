import type { Source } from "../../source/source.js";
import { findChoices, type NameChoice } from "./check-templates.js";
import { parseTemplate } from "./parse-template.js";
import { entriesOf } from "./template-set.js";

/** The files of a template set, some of which are being edited. */
export interface EditedSet {
  readonly sources: ReadonlyMap<string, Source>;
  /** The record that files print, or null if that depends on their paths. */
  readonly record: string | null;
}

/** Lists the templates that other templates can call. */
export function partialsOf({ sources }: EditedSet): readonly string[] {
  return [...sources.keys()].filter((name) => !name.startsWith("files/"));
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
  const edited = new Map(sources).set(name, { path: name, text });
  const templates = new Map(
    [...edited].map(([each, source]) => [
      each,
      parseTemplate(each, source).value,
    ]),
  );
  return findChoices(entriesOf(templates, record), templates, wanted);
}
