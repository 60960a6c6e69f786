/** The tag that an offset of a template is in. */
export interface Tag {
  /** Offset of its braces. */
  readonly start: number;
  /** Its text between the braces and the offset. */
  readonly before: string;
  /** The blocks that are open before it, e.g. `if`, the innermost last. */
  readonly open: readonly string[];
}

/** Returns the tag at an offset, or null outside of tags and in comments. */
export function readTag(text: string, offset: number): Tag | null {
  const written = text.slice(0, offset);
  const start = written.lastIndexOf("{{");
  const [, before] = /^\{\{~?([^]*)$/u.exec(written.slice(start)) ?? [];
  if (start === -1 || before === undefined) return null;
  const isOutside = before.includes("}}") || before.startsWith("!");
  if (isOutside || isComment(written)) return null;
  return { start, before, open: findOpenBlocks(text.slice(0, start)) };
}

/** Whether a text ends in a comment, which can contain braces. */
function isComment(written: string): boolean {
  const start = Math.max(
    written.lastIndexOf("{{!--"),
    written.lastIndexOf("{{~!--"),
  );
  return start > written.lastIndexOf("--}}") && start !== -1;
}

function findOpenBlocks(text: string): readonly string[] {
  const open: string[] = [];
  const tags = /\{\{~?(?:!--[^]*?--~?\}\}|([#/])\s*(\w+))/gu;
  for (const [, mark, name = ""] of text.matchAll(tags)) {
    if (mark === "#") open.push(name);
    if (mark === "/") open.pop();
  }
  return open;
}

/** A path that ends where the cursor is, e.g. `../host.na`. */
export interface TypedPath {
  /** Everything before its last name, e.g. `../host.`. */
  readonly prefix: string;
  readonly name: string;
}

/** Splits the text of a tag into a path at its end and everything before. */
export function splitPath(before: string): readonly [string, TypedPath] {
  const path = /((?:\.\.\/)*(?:\.\/|this[./])?(?:[\w-]+\.)*)([\w-]*)$/u;
  const [all = "", prefix = "", name = ""] = path.exec(before) ?? [];
  return [before.slice(0, before.length - all.length), { prefix, name }];
}
