import type { ContractFilter } from "../../ir/filter-contract.js";
import type { FilterConfig, FilterEntry, Unused } from "../config/config.js";

/** A filter without source locations. */
export interface ActiveFilter extends ContractFilter {
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
