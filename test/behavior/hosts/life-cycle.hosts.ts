import { describe, expect, test, type TestContext } from "vitest";
import { eventually, impatiently } from "./eventually.js";
import { exceptions, isException } from "./exceptions.js";
import { hosts, isInstalled, type Host } from "./hosts.js";
import { lifeCycleCases, type LifeCycleCase } from "./life-cycle-cases.js";
import { rawRequestCases, requestCases } from "./request-cases.js";
import { startPlace } from "./start-place.js";

async function run(
  host: Host,
  { name, run }: LifeCycleCase,
  { onTestFinished }: TestContext,
): Promise<void> {
  const wait = isException(host.name, name) ? impatiently : eventually;
  const place = await startPlace(host, wait);
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
  if (!isInstalled(host)) console.log(`NOT RUN: ${host.name}`);
  describe.concurrent(host.name, () => {
    for (const given of lifeCycleCases) {
      const known = isException(host.name, given.name) ? test.fails : test;
      const runs = isInstalled(host) ? known : test.skip;
      runs(given.name, (context) => run(host, given, context));
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
