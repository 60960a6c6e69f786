import { createCaller } from "./caller.js";
import type { Eventually } from "./eventually.js";
import type { Host } from "./hosts.js";
import type { Open, Place } from "./life-cycle-cases.js";
import { startHost } from "./start-host.js";

/** The server of the life-cycle tests. */
export const lifeCycleApp = {
  contract: "test/behavior/hosts/app/life-cycle.ridl",
  module: "test/behavior/hosts/app/life-cycle-server.ts",
  create: "createLifeCycle",
};

/** Starts a host with the server of the life-cycle tests. */
export async function startPlace(host: Host, wait: Eventually): Promise<Place> {
  const started = await startHost(host, lifeCycleApp);
  const { closesUploads = false, isHttp2 = false } = host;
  const caller = createCaller(started.port, isHttp2, closesUploads ? 2 : 0);
  const probe = { method: "Probe/Open" };
  const open = async (): Promise<Open> => {
    // A host may close an idle connection at the moment when it is used again.
    const [, text] = await caller.send(probe).catch(() => caller.send(probe));
    return {
      ...(JSON.parse(text) as Open),
      files: started.fileCount(),
      sockets: started.socketCount(),
    };
  };
  return { ...caller, host: started, open, eventually: wait };
}
