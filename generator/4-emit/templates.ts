import Handlebars from "handlebars";
import { invariant } from "../ir/invariant.js";
import { embeddedTemplates } from "./embedded-templates.js";

/** What a template gets: data alone, every decision already made. */
export type View = Readonly<Record<string, unknown>>;

/**
 * Fills one template of `templates/`. Values are put in as they are: quote them
 * for their context before. Strict: a missing value throws, which is our bug.
 *
 * Input: the path inside `templates/`, e.g. `origins/origins.md.hbs`.
 */
export function renderTemplate(path: string, view: View): string {
  const text = embeddedTemplates.get(path);
  invariant(text !== undefined, `there is no template ${path}`);
  const template = Handlebars.create().compile(text, {
    strict: true,
    noEscape: true,
    knownHelpersOnly: true,
    knownHelpers: { each: true, if: true },
  });
  return template(view);
}
