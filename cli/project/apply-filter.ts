import type {
  Diagnosed,
  Diagnostic,
} from "../../generator/diagnostics/diagnostic.js";
import { suggestHelp } from "../../generator/diagnostics/suggest.js";
import type { Contract } from "../../generator/ir/contract.js";
import {
  omitUnused,
  selectMethods,
  type ContractFilter,
} from "../../generator/values/filter-contract.js";
import { methodsOf } from "../../generator/ir/methods-of.js";
import type {
  Config,
  FilterEntry,
  FilterConfig,
  Unused,
} from "../config/config.js";
import { suggestName } from "./unknown-names.js";

/**
 * Removes from a contract everything that the configuration's filter excludes.
 *
 * Returns null if nothing is left or a service does not exist.
 * Errors: `unmatched-filter`, which is a warning for an annotation that no
 * method has, unless it is like one that a method has.
 */
export function applyFilter(
  contract: Contract,
  { filter }: Pick<Config, "filter">,
): Diagnosed<Contract | null> {
  const active = activeFilter(filter);
  if (active === null) return { value: contract, diagnostics: [] };
  const diagnostics = findUnmatched(contract, filter);
  if (diagnostics.some(({ severity }) => severity === "error")) {
    return { value: null, diagnostics };
  }
  const { ignore, match, services, unused } = active;
  const selects = services.length + match.length + ignore.length > 0;
  const selected = selects ? selectMethods(contract, active) : contract;
  if (selected.hosts.length === 0) {
    const found: Diagnostic = {
      code: "unmatched-filter",
      severity: "error",
      message: "the filter excludes all methods",
      help: "relax `services`, `match` or `ignore`",
    };
    return { value: null, diagnostics: [...diagnostics, found] };
  }
  const value = unused === "omit" ? omitUnused(selected) : selected;
  return { value, diagnostics };
}

/** Reports names in the filter that the contract does not have. */
function findUnmatched(
  { hosts }: Contract,
  { ignore, match, services: wanted }: Config["filter"],
): readonly Diagnostic[] {
  const services = hosts.flatMap((host) => host.services);
  const serviceNames = [...new Set(services.map(({ name }) => name))];
  const annotations = methodsOf(services).flatMap((method) =>
    method.annotations.flatMap(({ name, value }) => [
      `@${name}`,
      `@${name}:${value ?? ""}`,
    ]),
  );
  const known = new Set(annotations);
  const named = [...known].filter((name) => !name.includes(":"));
  const unmatched = (setting: string, flag: string, entries: typeof match) =>
    entries
      .filter(({ text }) => !known.has(text))
      .map((entry): Diagnostic => ({
        ...explain(entry, setting, flag, "which no method has"),
        // A mistake could publish methods. A new annotation may have none yet.
        severity: isLike(entry.text, named) ? "error" : "warning",
        ...suggestName(entry.text, named, "annotations"),
      }));
  return [
    ...wanted
      .filter(({ text }) => !serviceNames.includes(text))
      .map((entry) => ({
        ...explain(entry, "services", "service", "which is not a service"),
        ...suggestName(entry.text, serviceNames, "services"),
      })),
    ...unmatched("match", "match", match),
    ...unmatched("ignore", "ignore", ignore),
  ];
}

function isLike(name: string, names: readonly string[]): boolean {
  return suggestHelp(name, names).help !== undefined;
}

function explain(
  { location, text }: FilterEntry,
  setting: string,
  flag: string,
  fault: string,
): Diagnostic {
  const by = location === null ? `--${flag}` : `filter.${setting}`;
  return {
    code: "unmatched-filter",
    severity: "error",
    message: `\`${by}\` names \`${text}\`, ${fault}`,
    ...(location && { location }),
  };
}

/** A filter without source locations. */
interface ActiveFilter extends ContractFilter {
  readonly unused: Unused;
}

/** Returns the filter of a configuration, or null if it leaves nothing out. */
export function activeFilter(filter: FilterConfig): ActiveFilter | null {
  const textsOf = (entries: readonly FilterEntry[]): readonly string[] =>
    entries.map(({ text }) => text);
  const services = textsOf(filter.services);
  const match = textsOf(filter.match);
  const ignore = textsOf(filter.ignore);
  const selects = services.length + match.length + ignore.length > 0;
  const unused = filter.unused ?? (selects ? "omit" : "keep");
  return selects || unused === "omit"
    ? { services, match, ignore, unused }
    : null;
}
