import type { BodyStream } from "../../../runtime/typescript/server/model/exchange.js";
import { nextPiece } from "../../../runtime/typescript/server/responses/taking.js";

/** Counts the pieces of a body, and the turns of the event loop meanwhile. */
export async function countTurns(
  stream: BodyStream,
): Promise<{ readonly pieces: number; readonly turns: number }> {
  let turns = 0;
  const turn = (): void => {
    turns += 1;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  let pieces = 0;
  while ((await nextPiece(stream)) !== null) pieces += 1;
  clearImmediate(next);
  return { pieces, turns };
}
