/**
 * Returns the path that one document uses to import another.
 * For example, `schema/api.ridl` imports `schema/common.ridl` as `common.ridl`.
 */
export function relativePath(importer: string, target: string): string {
  const from = importer.split("/").slice(0, -1);
  const to = target.split("/");
  let common = 0;
  while (common < from.length && from[common] === to[common]) common++;
  return [...from.slice(common).map(() => ".."), ...to.slice(common)].join("/");
}
