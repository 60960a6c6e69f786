import type { PastContract } from "../../values/history.js";
import type { HostSkew } from "../emitter/emitter.js";
import type { ContractHistoryView, PastContractView } from "./history-view.js";

/** Creates the view of what the server of a host knows about contracts. */
export function historyOf(
  skew: HostSkew | undefined,
): ContractHistoryView | null {
  if (skew === undefined) return null;
  const { header, past, version } = skew;
  return { header, version, past: past.map(pastOf) };
}

function pastOf({ methods, ...contract }: PastContract): PastContractView {
  return {
    ...contract,
    methods: Object.entries(methods).map(([name, changes]) => ({
      name,
      changes: changes.map(({ at, got, key, ...change }) => ({
        ...change,
        at: at ?? null,
        key: key ?? null,
        got: got ?? null,
      })),
    })),
  };
}
