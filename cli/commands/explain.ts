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
  const sections = readSections(system);
  const codes = (system.listFolder(folder) ?? [])
    .filter(({ name }) => name.endsWith(".md"))
    .map(({ name }) => name.slice(0, -".md".length));
  if (code === undefined) {
    const all = [...new Set([...codes, ...sections.keys()])].sort();
    system.stdout.write(all.map((each) => `${each}\n`).join(""));
    return 0;
  }
  // Only listed pages are read, so the argument cannot name another path.
  const page = codes.includes(code)
    ? system.readText(resolvePath(folder, `${code}.md`))
    : (sections.get(code) ?? null);
  if (page === null) {
    const { help } = suggestHelp(code, [...codes, ...sections.keys()]);
    throw new UsageError(`there is no diagnostic \`${code}\``, help ?? null);
  }
  system.stdout.write(page.endsWith("\n") ? page : `${page}\n`);
  return 0;
}

/** Reads the sections of docs/cli.md about diagnostics, by code. */
function readSections(system: System): ReadonlyMap<string, string> {
  const text =
    system.readText(resolvePath(system.packageFolder, "docs/cli.md")) ?? "";
  const [, after = ""] = text.split("\n## Command-line diagnostics\n");
  const [chapter = ""] = after.split("\n## ", 1);
  // A heading is a code. Other lines that begin with `###` are text.
  const sections = chapter.split(/^### (?=[a-z-]+$)/mu).slice(1);
  return new Map(
    sections.map((section) => {
      const [code = ""] = section.split("\n", 1);
      return [code, `# ${section.trimEnd()}`];
    }),
  );
}
