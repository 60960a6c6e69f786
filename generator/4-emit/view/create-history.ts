import type {
  PastChange,
  PastContract,
  PastPlace,
} from "../../values/history.js";
import type { HostSkew } from "../emitter/emitter.js";
import type {
  ContractHistoryView,
  PastChangeView,
  PastContractView,
} from "./history-view.js";

/** Creates the view of what the server of a host knows about contracts. */
export function historyOf(
  skew: HostSkew | undefined,
): ContractHistoryView | null {
  if (skew === undefined) return null;
  const { header, past, version } = skew;
  return { header, version, past: past.map(pastOf) };
}

function pastOf({
  digest,
  gone,
  methods,
  version,
}: PastContract): PastContractView {
  return {
    digest,
    version,
    methods: Object.entries(methods).map(([name, changes]) => ({
      name,
      changes: changes.map(changeOf),
    })),
    gone: gone.map(({ path, since, text, verb }) => ({
      verb,
      path,
      text,
      since,
    })),
  };
}

function changeOf({
  got = [],
  isCertain,
  places = [],
  side,
  since,
  text,
}: PastChange): PastChangeView {
  const placed = places.map((place) => ({ at: place.at, got: gotAt(place) }));
  return { text, since, isCertain, side, got, places: placed };
}

/** Returns what the change certainly refuses at a place, if it is known. */
function gotAt({ isRequired, only, was }: PastPlace): readonly string[] {
  if (only !== undefined) return [JSON.stringify(only)];
  return isRequired === true && was.mayBeAbsent === true ? ["nothing"] : [];
}
