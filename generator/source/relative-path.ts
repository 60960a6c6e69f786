/**
 * Returns the path from one file's folder to another file, e.g. `../a/b.ts`.
 * Both paths use forward slashes and have the same base, or are absolute.
 * Returns null if no such path exists, because the files are on different
 * Windows drives, or if it cannot be known, because only `importer` is outside
 * the base.
 */
export function relativePath(importer: string, target: string): string | null {
  const from = importer.split("/").slice(0, -1);
  const to = target.split("/");
  let common = 0;
  while (common < from.length && from[common] === to[common]) common++;
  const left = from.slice(common);
  const isElsewhere = common === 0 && [from[0], to[0]].some(isDrive);
  if (isElsewhere || left.includes("..")) return null;
  return [...left.map(() => ".."), ...to.slice(common)].join("/");
}

function isDrive(part: string | undefined): boolean {
  return part !== undefined && /^[A-Za-z]:$/u.test(part);
}
