import type { Server } from "node:net";
import { onTestFinished } from "vitest";
import { listen, type Listening } from "./listen.js";

/** Starts a server on a free port for the duration of the test. */
export async function listenForTest(server: Server): Promise<Listening> {
  const listening = await listen(server);
  onTestFinished(listening.close);
  return listening;
}
