import type { Server } from "node:net";
import { onTestFinished } from "vitest";
import { listen, type Listening } from "./listen.js";

/** Starts a server at a free port, for as long as the test runs. */
export async function listenForTest(server: Server): Promise<Listening> {
  const listening = await listen(server);
  onTestFinished(listening.close);
  return listening;
}
