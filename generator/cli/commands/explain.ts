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
  const codes = (host.listFolder(folder) ?? [])
    .filter(({ name }) => name.endsWith(".md"))
    .map(({ name }) => name.slice(0, -".md".length));
  // Only names from the list are ever read, whatever the argument looks like.
  const page = codes.includes(code)
    ? host.readText(join(folder, `${code}.md`))
    : null;
  if (page === null) {
    const [close] = suggest(code, codes);
    throw new UsageError(
      `there is no diagnostic \`${code}\``,
      close === undefined ? null : `did you mean \`${close}\`?`,
    );
  }
  host.stdout.write(page.endsWith("\n") ? page : `${page}\n`);
  return 0;
}
