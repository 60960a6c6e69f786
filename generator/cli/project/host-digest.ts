import type { LoadedDocuments } from "../../1-parse/load/load-documents.js";
import type {
  HostPlan,
  Plan,
  TypePlan,
} from "../../4-emit/typescript/plan/plan.js";
import type { Message, Service } from "../../ir/contract.js";
import { importedPaths } from "../../1-parse/load/select-entries.js";
import { hashText } from "./manifest.js";

/**
 * Hashes what connects each host with the rest of the contract. A digest covers
 * everything that files outside the host's folder depend on, and everything
 * that its own files use from elsewhere: names, the table of methods, errors,
 * credentials, and which shared types it uses and how. It excludes the fields,
 * limits, values and comments of declarations in the host's document.
 *
 * While the digest stays the same, a change to the host only affects files in
 * its folder.
 * Returns digests by document. A document that others import has none, because
 * it contains more than its host. A document that is not loaded has none
 * either.
 */
export function hashHosts(
  plan: Plan,
  documents: LoadedDocuments,
): ReadonlyMap<string, string> {
  const imported = importedPaths(documents);
  const { credentials, validationError } = plan.contract;
  const shared = [...plan.root.types].sort((left, right) =>
    left.name < right.name ? -1 : 1,
  );
  return new Map(
    plan.hosts.flatMap((host): [string, string][] => {
      const path = host.host.document;
      const document = documents.get(path);
      if (!document || imported.has(path)) return [];
      const visibleItems = document.syntax.items.filter(({ kind }) =>
        ["header", "import", "error"].includes(kind),
      );
      const shown = [
        visibleItems,
        credentials,
        validationError,
        factsOf(host, shared),
      ];
      return [[path, hashText(JSON.stringify(shown, withoutPlaces))]];
    }),
  );
}

function factsOf(
  { exact, host, needed, reached, unit }: HostPlan,
  shared: readonly TypePlan[],
): unknown {
  const isNeeded = Object.values(needed).map(
    (objects) => new Set([...objects].map(({ name }) => name)),
  );
  return {
    host: { ...host, services: host.services.map(withoutInsides) },
    exact,
    types: unit.types.map(({ kind, schemaName }) => [kind, schemaName]),
    // The parts of root files that exist because of this host.
    shared: shared
      .filter(({ schemaName }) => reached.has(schemaName))
      .map(({ name }) => [name, isNeeded.map((names) => names.has(name))]),
  };
}

function withoutInsides({ methods, ...service }: Service): unknown {
  const messageOf = ({ fields, ...message }: Message): unknown => ({
    ...message,
    isEmpty: fields.length === 0,
  });
  return {
    ...service,
    methods: methods.map(({ docs: _, request, response, ...method }) => ({
      ...method,
      request: messageOf(request),
      response: messageOf(response),
    })),
  };
}

/** Omits spans, because other files do not depend on positions. */
function withoutPlaces(key: string, value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  return key === "span" ? undefined : value;
}
