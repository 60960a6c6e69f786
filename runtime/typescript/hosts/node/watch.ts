import { Pace, type PaceLimits } from "../../server/model/pace.js";
import { breakOff, isDisconnected, type NodeResponse } from "./messages.js";

/**
 * Closes the connection if the client takes a whole response too slowly. Most
 * responses never need this, because the operating system accepts them at once.
 */
export function watch(
  response: NodeResponse,
  limits: PaceLimits,
  byteLength: number,
): void {
  // "close" has been emitted, so nothing would stop the timer.
  if (isDisconnected(response)) return;
  const pace = new Pace({ ...limits, maxLeftMs: Infinity }, () =>
    breakOff(response),
  );
  pace.start();
  pace.add(byteLength);
  response.on("close", () => pace.stop());
}
