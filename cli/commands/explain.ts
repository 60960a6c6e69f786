import { suggestHelp } from "../../generator/diagnostics/suggest.js";
import { resolvePath } from "../system/paths.js";
import { type System, UsageError } from "../system/system.js";

/**
 * `ridl explain`: prints the page of a diagnostic, or lists all codes. Errors:
 * a {@link UsageError} for an unknown code.
 */
export async function explain(
  [code]: readonly string[],
  _flags: object,
  system: System,
): Promise<number> {
  const folder = resolvePath(system.packageFolder, "docs/diagnostics");
  const codes = (system.listFolder(folder) ?? [])
    .filter(({ name }) => name.endsWith(".md"))
    .map(({ name }) => name.slice(0, -".md".length))
    .sort();
  if (code === undefined) {
    system.stdout.write(codes.map((each) => `${each}\n`).join(""));
    return 0;
  }
  // Only listed pages are read, so the argument cannot name another path.
  const page = codes.includes(code)
    ? system.readText(resolvePath(folder, `${code}.md`))
    : null;
  if (page === null) {
    const { help } = suggestHelp(code, codes);
    throw new UsageError(`there is no diagnostic \`${code}\``, help ?? null);
  }
  system.stdout.write(page.endsWith("\n") ? page : `${page}\n`);
  return 0;
}
