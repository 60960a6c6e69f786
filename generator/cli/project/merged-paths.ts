import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import type { Contract } from "../../ir/contract.js";
import type { Location } from "../../source/source.js";

/**
 * Finds hosts that `openapi.merge` cannot describe in one document, because
 * they share an HTTP method and path.
 *
 * Input: the location of `openapi.merge` in the configuration.
 * Errors: `merged-paths`.
 */
export async function findMergedPaths(
  { hosts }: Contract,
  location: Location,
): Promise<readonly Diagnostic[]> {
  const { findPathClashes } = await import("../../4-emit/openapi/paths.js");
  const [first, ...others] = findPathClashes(hosts);
  if (first === undefined) return [];
  const { path, verb } = first.route;
  const names = first.hosts.map(({ name }) => `\`${name}\``).join(" and ");
  const more = others.map(
    ({ route }) => `\`${route.verb.toUpperCase()} ${route.path}\``,
  );
  return [
    {
      code: "merged-paths",
      severity: "error",
      message: `hosts ${names} both have \`${verb.toUpperCase()} ${path}\`, but an OpenAPI document can contain it only once`,
      location,
      ...(more.length > 0 && { notes: [alsoShared(more)] }),
      help: "remove `merge` so that each host gets its own document, or change one of the paths",
    },
  ];
}

const maxListed = 5;

function alsoShared(routes: readonly string[]): string {
  const rest = routes.length - maxListed;
  const listed = routes.slice(0, maxListed).join(", ");
  return `also in more than one host: ${listed}${rest > 0 ? ` and ${rest} more` : ""}`;
}
