import { templateExtension } from "../../../../generator/4-emit/templates/template-set.js";
import type { LinkTarget } from "../model/results.js";
import type { EditedTemplate } from "./list-members.js";
import { readTag } from "./read-tag.js";

/** Finds the template of the partial that is called at an offset. */
export function findPartial(
  { set, text }: EditedTemplate,
  offset: number,
): LinkTarget | null {
  const [rest = ""] = /^[\w/-]*/u.exec(text.slice(offset)) ?? [];
  const end = offset + rest.length;
  const { before = "" } = readTag(text, end) ?? {};
  const [, name] = /^>\s*["']?([\w/-]+)$/u.exec(before) ?? [];
  const source = set.sources.get(`${name}${templateExtension}`);
  if (name === undefined || source === undefined) return null;
  const span = { start: 0, end: source.text.length };
  return {
    origin: { start: end - name.length, end },
    path: source.path,
    span,
    nameSpan: { start: 0, end: 0 },
  };
}
