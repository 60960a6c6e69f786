import { readFileSync } from "node:fs";
import { blocksIn, textAmong, type Block } from "../readme/program.js";

/** Returns the code blocks below a heading on a page. */
export function blocksBelow(page: string, heading: string): readonly Block[] {
  const sections = readFileSync(page, "utf8").split(/^## /mu);
  const section = sections.find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`${page} has no "${heading}"`);
  return blocksIn(section);
}

/**
 * Returns the content of the only block with the given path or language below a
 * heading.
 */
export function textBelow(
  page: string,
  heading: string,
  wanted: string,
): string {
  const place = `${page}, "${heading}"`;
  return textAmong(blocksBelow(page, heading), wanted, place);
}
