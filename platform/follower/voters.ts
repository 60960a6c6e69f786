import { majorityOf } from "../network/agreement/majority.js";
import { createPatience } from "./patience.js";

/**
 * Chooses the nodes that decide about what all are asked for: all of them, unless
 * each of most nodes has been absent for long. Then the others decide alone.
 */
export interface Voters {
  /**
   * Records the positions of the nodes that are present. Returns whether each node
   * decides, by position. While few decide, they include nodes that were absent only
   * for a short time, so that a single failure does not leave one alone.
   */
  readonly choose: (present: ReadonlySet<number>) => readonly boolean[];
  /** Returns whether few nodes decide alone. */
  readonly areFew: () => boolean;
  /** Forgets absences, because all nodes decide again. */
  readonly forget: () => void;
}

/** Creates voters that have all been present. */
export function createVoters(
  count: number,
  patienceMs: number,
  onAlone: () => void = () => undefined,
): Voters {
  const isAbsentForLong = Array.from({ length: count }, () =>
    createPatience(patienceMs),
  );
  let areFew = false;
  return {
    choose: (present) => {
      const isGone = isAbsentForLong.map((isLong, position) =>
        isLong(!present.has(position)),
      );
      const left = isGone.filter((each) => !each).length;
      const wereFew = areFew;
      areFew = left < majorityOf(count);
      if (areFew && !wereFew) onAlone();
      return isGone.map((each) => !areFew || !each);
    },
    areFew: () => areFew,
    forget: () => {
      for (const isLong of isAbsentForLong) isLong(false);
      areFew = false;
    },
  };
}
