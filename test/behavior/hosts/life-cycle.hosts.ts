import { afterAll, describe, expect, test, type TestContext } from "vitest";
import { eventually, impatiently } from "./eventually.js";
import { exceptions, isException } from "./exceptions.js";
import { hosts, isInstalled, type Host } from "./hosts.js";
import {
  lifeCycleCases,
  type LifeCycleCase,
  type Open,
  type Place,
} from "./life-cycle-cases.js";
import { rawRequestCases, requestCases } from "./request-cases.js";
import { startPlace } from "./start-place.js";

async function end(place: Place): Promise<void> {
  place.close();
  await place.host.close();
}

/** Returns of what more is open than before. A start can still close something. */
function openedSince(before: Open, now: Open): readonly string[] {
  return Object.entries(before).flatMap(([name, count]) => {
    const later = Number(Reflect.get(now, name));
    return later > count ? [`${name}: ${later} instead of ${count}`] : [];
  });
}

/**
 * Runs a case in a process that no other case uses meanwhile. If nothing is open
 * afterward, another case can use the process.
 */
async function run(
  host: Host,
  idle: Place[],
  { name, run }: LifeCycleCase,
  { onTestFinished }: TestContext,
): Promise<void> {
  const wait = isException(host.name, name) ? impatiently : eventually;
  const running = idle.pop() ?? (await startPlace(host, wait));
  const place = { ...running, eventually: wait };
  let isClean = false;
  onTestFinished(async () => {
    if (isClean) idle.push(place);
    else await end(place);
  });
  await place.open();
  const before = await place.open();
  await run(place);
  place.leave();
  if (!place.host.isRunning()) return;
  await wait(async () => openedSince(before, await place.open()), []);
  isClean = true;
}

for (const host of hosts) {
  if (!isInstalled(host)) console.log(`NOT RUN: ${host.name}`);
  describe.concurrent(host.name, () => {
    const idle: Place[] = [];
    afterAll(() => Promise.all(idle.map(end)));
    for (const given of lifeCycleCases) {
      const known = isException(host.name, given.name) ? test.fails : test;
      const runs = isInstalled(host) ? known : test.skip;
      runs(given.name, (context) => run(host, idle, given, context));
    }
  });
}

test("every exception names a host and a case", () => {
  const cases = hosts.flatMap((host) =>
    [...requestCases, ...rawRequestCases, ...lifeCycleCases].map(
      ({ name }) => `${host.name} | ${name}`,
    ),
  );
  const listed = exceptions.map(({ host, name }) => `${host} | ${name}`);
  expect(listed.filter((each) => !cases.includes(each))).toEqual([]);
});
