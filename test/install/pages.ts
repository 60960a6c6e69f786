import { readFileSync } from "node:fs";
import { blocksIn, textAmong, type Block } from "../readme/program.js";

/** The code blocks below a heading of a page. */
export function blocksBelow(page: string, heading: string): readonly Block[] {
  const sections = readFileSync(page, "utf8").split(/^## /mu);
  const section = sections.find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`${page} has no "${heading}"`);
  return blocksIn(section);
}

/**
 * The content of the only block below a heading that has the given path or
 * language.
 */
export function textBelow(
  page: string,
  heading: string,
  wanted: string,
): string {
  const place = `${page}, "${heading}"`;
  return textAmong(blocksBelow(page, heading), wanted, place);
}
