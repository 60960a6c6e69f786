import { setTimeout as sleep } from "node:timers/promises";

import { expect, inject, onTestFinished, test } from "vitest";

import { startEmbeddedChain } from "../../chain/embedded.js";
import { type MuteProxy, openMuteProxy } from "../support/mute-proxy.js";
import { createDatabase } from "../support/test-database.js";
import { openBuilder } from "./open-clients.js";
import {
  createDataFolder,
  spawnPlatform,
  startProcess,
} from "./start-platform.js";

/** Opens a database and a chain that can each stop responding. */
async function openParts() {
  const chain = await startEmbeddedChain({
    ...{ chainId: 31337, folder: createDataFolder(), saveEveryMs: 60_000 },
    onError: () => undefined,
  });
  onTestFinished(() => chain.stop());
  const databaseProxy = await openMuteProxy(portOf(inject("databaseUrl")));
  const chainProxy = await openMuteProxy(portOf(chain.rpcUrl));
  const environment = {
    DATABASE_URL: throughProxy(await createDatabase(), databaseProxy),
    CHAIN_URL: throughProxy(chain.rpcUrl, chainProxy),
    PLATFORM_SECRET: "a secret that all instances have",
  };
  return { chainProxy, databaseProxy, environment };
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

function throughProxy(url: string, { port }: MuteProxy): string {
  const through = new URL(url);
  through.port = String(port);
  return through.href;
}

/** A pause after which callers of an unresponsive part are rejected. */
const stallMs = 3000;

test("starts even if its database and its chain stall repeatedly", async () => {
  const { chainProxy, databaseProxy, environment } = await openParts();
  // The pauses between the stalls determine which steps of the start the
  // stalls hit.
  for (const answeringMs of [0, 200]) {
    const folder = createDataFolder();
    let isReady = false;
    const starting = startProcess(folder, environment).finally(
      () => (isReady = true),
    );
    const stall = async (): Promise<void> => {
      for (let round = 0; round < 3 && !isReady; round += 1) {
        for (const proxy of [databaseProxy, chainProxy]) {
          proxy.setMute(true);
          await sleep(stallMs);
          proxy.setMute(false);
          await sleep(answeringMs);
        }
      }
    };
    const [{ end, ready }] = await Promise.all([starting, stall()]);
    const { projectId } = ready;
    const answer = await openBuilder(ready).listAudiences({ projectId });
    expect(answer.audiences).toHaveLength(1);
    await end("SIGKILL");
  }
});

test("waits until it is stopped if its database is unreachable", async () => {
  const { environment } = await openParts();
  const started = spawnPlatform(createDataFolder(), {
    ...environment,
    DATABASE_URL: "postgresql://nobody@127.0.0.1:1/nothing",
  });
  started.ready.catch(() => undefined);
  const waits = () => started.output().includes("cannot start yet");
  await expect.poll(waits).toBe(true);
  expect(await started.end("SIGTERM")).toBe(1);
  expect(started.output()).toContain("ECONNREFUSED");
  expect(started.output()).toContain(
    "did not start: the database does not respond",
  );
});
