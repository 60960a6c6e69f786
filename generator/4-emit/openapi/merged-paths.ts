import type { Host } from "../../ir/contract.js";
import type { TargetFault } from "../emitter/target.js";
import { findPathClashes } from "./paths.js";

/**
 * Finds hosts that one document cannot describe, because they share an HTTP
 * method and path.
 */
export function findMergedPaths(
  hosts: readonly Host[],
): readonly TargetFault[] {
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
      key: "merge",
      message: `hosts ${names} both have \`${verb.toUpperCase()} ${path}\`, but an OpenAPI document can contain it only once`,
      notes: more.length > 0 ? [alsoShared(more)] : [],
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
