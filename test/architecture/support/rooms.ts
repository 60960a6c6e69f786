/**
 * Returns the room of a path: `generator/1-parse` for `generator/1-parse/x.ts`,
 * `apps/explorer` for `apps/explorer/x.ts`, `tools` for `tools/x.ts`, and `cli`
 * for all files of the command line but `cli/index.ts`.
 */
export function roomOf(path: string): string {
  const [top = "", second = ""] = path.split("/");
  if (path === "cli/index.ts") return path;
  const isDivided = /^(?:generator|apps)$/u.test(top) && second !== "";
  const isTool = top === "tools" && !second.endsWith(".ts");
  return isDivided || isTool ? `${top}/${second}` : top;
}
