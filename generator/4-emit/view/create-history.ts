import type { PastContract, PastPlace } from "../../values/history.js";
import type { HostSkew } from "../emitter/emitter.js";
import type {
  ContractHistoryView,
  PastContractView,
  PastPlaceView,
} from "./history-view.js";

/** Creates the view of what the server of a host knows about contracts. */
export function historyOf(
  skew: HostSkew | undefined,
): ContractHistoryView | null {
  if (skew === undefined) return null;
  const { header, past, version } = skew;
  return { header, version, past: past.map(pastOf) };
}

function pastOf(contract: PastContract): PastContractView {
  const { digest, gone, methods, version } = contract;
  return {
    digest,
    version,
    methods: Object.entries(methods).map(([name, changes]) => ({
      name,
      changes: changes.map(({ isCertain, side, since, text, ...change }) => ({
        ...{ text, since, isCertain, side, got: change.got ?? [] },
        places: (change.places ?? []).map(placeOf),
      })),
    })),
    gone: gone.map(({ path, since, text, verb }) => ({
      ...{ verb, path, text, since },
    })),
  };
}

/** Says what the earlier contract certainly allowed at a place. */
function placeOf({ at, now, only, was }: PastPlace): PastPlaceView {
  const isRequired = now === undefined && was.mayBeAbsent === true;
  return {
    at,
    got: [
      ...(isRequired && only === undefined ? ["nothing"] : []),
      ...(only === undefined ? [] : [JSON.stringify(only)]),
    ],
  };
}
