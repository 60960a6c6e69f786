import { describe, expect, test, type TestContext } from "vitest";
import { createCaller } from "./caller.js";
import { eventually, impatiently, type Eventually } from "./eventually.js";
import { exceptions, isException } from "./exceptions.js";
import { hosts, type Host } from "./hosts.js";
import {
  lifeCycleCases,
  type LifeCycleCase,
  type Open,
  type Place,
} from "./life-cycle-cases.js";
import { requestCases } from "./request-cases.js";
import { startHost } from "./start-host.js";

const app = {
  contract: "hosts/app/life-cycle.ridl",
  module: "hosts/app/life-cycle-server.ts",
  create: "createLifeCycle",
};

async function start(host: Host, wait: Eventually): Promise<Place> {
  const started = await startHost(host, app);
  const { closesUploads = false, isHttp2 = false } = host;
  const caller = createCaller(started.port, isHttp2, closesUploads ? 2 : 0);
  const probe = { method: "Probe/Open" };
  const open = async (): Promise<Open> => {
    // A host may close an idle connection at the moment when it is used again.
    const [, text] = await caller.send(probe).catch(() => caller.send(probe));
    const sockets = started.socketCount();
    return { ...(JSON.parse(text) as Open), sockets };
  };
  return { ...caller, host: started, open, eventually: wait };
}

async function run(
  host: Host,
  { name, run }: LifeCycleCase,
  { onTestFinished }: TestContext,
): Promise<void> {
  const wait = isException(host.name, name) ? impatiently : eventually;
  const place = await start(host, wait);
  onTestFinished(async () => {
    place.close();
    await place.host.close();
  });
  await place.open();
  const before = await place.open();
  await run(place);
  place.leave();
  if (place.host.isRunning()) await wait(place.open, before);
}

for (const host of hosts) {
  describe.concurrent(host.name, () => {
    for (const given of lifeCycleCases) {
      const runs = isException(host.name, given.name) ? test.fails : test;
      runs(given.name, (context) => run(host, given, context));
    }
  });
}

test("every exception names a host and a case", () => {
  const cases = hosts.flatMap((host) =>
    [...requestCases, ...lifeCycleCases].map(
      ({ name }) => `${host.name} | ${name}`,
    ),
  );
  const listed = exceptions.map(({ host, name }) => `${host} | ${name}`);
  expect(listed.filter((each) => !cases.includes(each))).toEqual([]);
});
