import {
  findHelper,
  type Helper,
} from "../../../../generator/4-emit/templates/template-helpers.js";
import type { Hover } from "../model/results.js";
import { type EditedTemplate, listMembers, printType } from "./list-members.js";
import { readTag, splitPath } from "./read-tag.js";

/** Describes the property or helper at an offset of a template. */
export function hoverTemplate(
  template: EditedTemplate,
  offset: number,
): Hover | null {
  const [rest = ""] = /^[\w-]*/u.exec(template.text.slice(offset)) ?? [];
  const end = offset + rest.length;
  const tag = readTag(template.text, end);
  if (tag === null || /^[>#/]\s*\S*$/u.test(tag.before)) return null;
  const [before, { name, prefix }] = splitPath(tag.before);
  if (name === "") return null;
  const span = { start: end - name.length, end };
  const isCall = prefix === "" && /(?:^|\()\s*$/u.test(before);
  const helper = isCall ? findHelper(name) : undefined;
  if (helper) return { span, markdown: describeHelper(helper) };
  const member = listMembers(template, tag, prefix).find(
    (each) => each.name === name,
  );
  if (member === undefined) return null;
  const { docs, type } = member;
  const title = `\`${name}\`: ${printType(type)}`;
  return { span, markdown: docs === "" ? title : `${title}\n\n${docs}` };
}

/** Describes a helper in Markdown: what it does, and an example. */
export function describeHelper(helper: Helper | undefined): string {
  if (helper === undefined) return "";
  const [call, result] = helper.example;
  return `${helper.summary}\n\n\`\`\`handlebars\n${call}\n\`\`\`\n\n\`\`\`text\n${result}\n\`\`\``;
}
