import type { ts } from "ts-morph";

/** Changes part of a file. */
export type Replace = (start: number, end: number, text: string) => void;

/** Removes a property, and its line if it has one of its own. */
export function removeProperty(node: ts.Node, replace: Replace): void {
  const { text } = node.getSourceFile();
  const start = node.getStart();
  const [comma = ""] = /^\s*,[ \t]*/u.exec(text.slice(node.end)) ?? [];
  const end = node.end + comma.length;
  const [before = ""] = /\r?\n[ \t]*$/u.exec(text.slice(0, start)) ?? [];
  const isAlone = before !== "" && /^\r?\n/u.test(text.slice(end));
  replace(isAlone ? start - before.length : start, end, "");
}
