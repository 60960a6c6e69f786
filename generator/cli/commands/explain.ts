import { join } from "node:path";
import { suggest } from "../../diagnostics/suggest.js";
import type { CliHost } from "../host.js";
import { UsageError } from "../usage-error.js";

/**
 * `ridl explain`: prints the page of a diagnostic.
 *
 * Output: the exit code. Errors: a {@link UsageError} for a code that does not
 * exist.
 */
export async function explain(code: string, host: CliHost): Promise<number> {
  const folder = join(host.packageFolder, "docs", "diagnostics");
  const sections = readSections(host);
  const codes = (host.listFolder(folder) ?? [])
    .filter(({ name }) => name.endsWith(".md"))
    .map(({ name }) => name.slice(0, -".md".length));
  // Only names from the list are ever read, whatever the argument looks like.
  const page = codes.includes(code)
    ? host.readText(join(folder, `${code}.md`))
    : (sections.get(code) ?? null);
  if (page === null) {
    const [close] = suggest(code, [...codes, ...sections.keys()]);
    throw new UsageError(
      `there is no diagnostic \`${code}\``,
      close === undefined ? null : `did you mean \`${close}\`?`,
    );
  }
  host.stdout.write(page.endsWith("\n") ? page : `${page}\n`);
  return 0;
}

/** What docs/cli.md says about the diagnostics of the command line, by code. */
function readSections(host: CliHost): ReadonlyMap<string, string> {
  const text = host.readText(join(host.packageFolder, "docs", "cli.md")) ?? "";
  const sections = text.split(/^### /mu).slice(1);
  return new Map(
    sections.map((section) => {
      const [code = ""] = section.split("\n", 1);
      return [code, `# ${section.trimEnd()}`];
    }),
  );
}
