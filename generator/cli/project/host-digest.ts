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
 * For each host, by its document, a hash of all that files outside of its
 * folder depend on, and of the rest of the contract that its own files do:
 * names, the table of methods, errors, credentials, which shared types it uses
 * and how. Not the fields, limits, values and comments of what its document
 * declares.
 *
 * As long as its digest stays, a change of a host changes the files of its
 * folder alone. Output: none for a document that others import, because that
 * is more than its host, nor for one that is not loaded.
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
      const said = document.syntax.items.filter(({ kind }) =>
        ["header", "import", "error"].includes(kind),
      );
      const shown = [said, credentials, validationError, factsOf(host, shared)];
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
    // What files at the root hold because this host needs it.
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

/** Where something stands says nothing to others. */
function withoutPlaces(key: string, value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  return key === "span" ? undefined : value;
}
