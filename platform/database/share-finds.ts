import { piecesOf } from "./pieces.js";
import { createBatch } from "../process/concurrency/batch.js";
import { giveWay } from "../process/concurrency/give-way.js";

/** A row to find, with its key. */
interface Wanted<Place> {
  readonly place: Place;
  readonly id: string;
  readonly key: string;
}

/** A call that waits for rows of a place. */
interface Search<Place, Value> {
  readonly wanted: readonly Wanted<Place>[];
  readonly found: Map<string, Value>;
}

/**
 * The maximum number of rows for which a call shares a statement. Documents may
 * be large, so a call for many of them must not delay other calls.
 */
const maxShared = 4;

/**
 * Creates a function that finds rows of a place by ID and that shares a statement
 * between waiting calls.
 *
 * Input: `keyOf` identifies a row in all places. `find` returns the keys of the
 * rows that exist, with functions that parse them.
 */
export function shareFinds<Place, Value>(
  keyOf: (place: Place, id: string) => string,
  find: (
    wanted: readonly Wanted<Place>[],
  ) => Promise<readonly (readonly [string, () => Value])[]>,
): (place: Place, ids: readonly string[]) => Promise<Map<string, Value>> {
  const findAll = async (searches: readonly Search<Place, Value>[]) => {
    const all = new Map(
      searches.flatMap(({ wanted }) => wanted.map((each) => [each.key, each])),
    );
    const values = new Map<string, Value>();
    for (const some of piecesOf([...all.values()])) {
      for (const [key, parse] of await find(some)) {
        await giveWay();
        values.set(key, parse());
      }
    }
    for (const { wanted, found } of searches) {
      for (const { id, key } of wanted) {
        const value = values.get(key);
        if (value !== undefined) found.set(id, value);
      }
    }
  };
  const share = createBatch(findAll);
  return async (place, ids) => {
    const wanted = ids.map((id) => ({ place, id, key: keyOf(place, id) }));
    const search = { wanted, found: new Map<string, Value>() };
    await (ids.length > maxShared ? findAll([search]) : share(search));
    return search.found;
  };
}
