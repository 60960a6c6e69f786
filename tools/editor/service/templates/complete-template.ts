import {
  findHelper,
  helperNames,
} from "../../../../generator/4-emit/templates/template-helpers.js";
import { partialsOf } from "../../../../generator/4-emit/templates/edited-set.js";
import { createCompletion } from "../complete/create-completion.js";
import type { Completion, CompletionKind } from "../model/results.js";
import { describeHelper } from "./hover-template.js";
import { type EditedTemplate, listMembers, printType } from "./list-members.js";
import { readTag, splitPath, type Tag } from "./read-tag.js";

/**
 * Finds everything that can be written at an offset of a template: properties of
 * the view, parameters, helpers, partials, blocks, and values to compare with.
 */
export function completeTemplate(
  template: EditedTemplate,
  offset: number,
): readonly Completion[] {
  const tag = readTag(template.text, offset);
  if (tag === null) return [];
  const { before, open } = tag;
  const spanOf = (typed: string) => ({
    start: offset - typed.length,
    end: offset,
  });
  const list = (
    names: Iterable<string>,
    kind: CompletionKind,
    typed: string | undefined = "",
  ): readonly Completion[] =>
    [...names].map((name) => createCompletion(name, kind, spanOf(typed)));

  const partial = /^>\s*["']?([\w/-]*)$/u.exec(before);
  if (partial) return list(partialsOf(template.set), "path", partial[1]);
  const block = /^([#/])(\w*)$/u.exec(before);
  if (block) {
    const names = block[1] === "#" ? blocks : open.slice(-1);
    return list(names, "keyword", block[2]);
  }
  const position = /@(\w*)$/u.exec(before);
  if (position) {
    return open.includes("each")
      ? list(["first", "last", "index"], "keyword", position[1])
      : [];
  }
  const [, compared, value] = /\(is\s+(\S+)\s+"([^"]*)$/u.exec(before) ?? [];
  if (compared !== undefined) {
    return list(listValues(template, tag, compared), "value", value);
  }
  const isText = (before.match(/"/gu) ?? []).length % 2 === 1;
  if (isText) return [];

  const [rest, { name, prefix }] = splitPath(before);
  const isCall = prefix === "" && /(?:^|\()\s*$/u.test(rest);
  const members = listMembers(template, tag, prefix).map(
    ({ docs, name: label, type }) =>
      createCompletion(label, "field", spanOf(name), {
        detail: printType(type),
        docs,
      }),
  );
  if (!isCall) return members;
  const helpers = helperNames.map((label) =>
    createCompletion(label, "helper", spanOf(name), {
      docs: describeHelper(findHelper(label)),
      rank: 1,
    }),
  );
  const isBlock = rest.trim() === "" && open.length > 0;
  return [
    ...(rest.endsWith("(") ? [] : members),
    ...helpers,
    ...(isBlock ? list(["else"], "keyword", name) : []),
  ];
}

const blocks = ["if", "unless", "each"];

/** Lists the values that the value of a path can have. */
function listValues(
  template: EditedTemplate,
  tag: Tag,
  path: string,
): readonly string[] {
  const [, { name, prefix }] = splitPath(path);
  const member = listMembers(template, tag, prefix).find(
    (each) => each.name === name,
  );
  return member?.type.kind === "choice" ? member.type.values : [];
}
