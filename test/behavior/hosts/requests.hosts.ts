import { afterAll, beforeAll, describe, test } from "vitest";
import { expectAnswer } from "../conformance/expect-answer.js";
import { expectRawAnswer } from "../conformance/raw-cases.js";
import type { Running } from "../typescript/hosts.js";
import { isSample } from "../../support/draw-some.js";
import { isException } from "./exceptions.js";
import { hosts, isInstalled, type Host } from "./hosts.js";
import { rawRequestCases, requestCases } from "./request-cases.js";
import { startHost } from "./start-host.js";

const app = {
  contract: "runtime/cases/conformance.ridl",
  module: "test/behavior/conformance/conformance-server.ts",
  create: "createConformance",
};

/**
 * In a sample, every host gets another fourth of the cases. Proxies pass most of
 * them on unchanged, so they only get raw requests.
 */
const casesOf = ({ group, name }: Host, index: number): typeof requestCases =>
  requestCases.filter(
    (given, at) =>
      group === "hosts" &&
      (!isSample || at % 4 === index % 4 || isException(name, given.name)),
  );

const answering = hosts.filter(
  (host) => host.group !== "Go" && isInstalled(host),
);

describe.each(
  answering.map((host, index) => [host.name, host, index] as const),
)("requests to %s", (_, host, index) => {
  let running: Running;
  beforeAll(async () => {
    const { connect } = await startHost(host, app);
    running = connect();
  });
  afterAll(() => running.close());

  for (const given of casesOf(host, index)) {
    const run = (): Promise<void> => expectAnswer(running, given);
    // Some exceptions are responses that never end.
    if (isException(host.name, given.name)) {
      test.fails(given.name, { timeout: 5_000 }, run);
    } else test(given.name, run);
  }

  for (const given of host.isHttp2 ? [] : rawRequestCases) {
    const run = (): Promise<void> => expectRawAnswer(running.port ?? 0, given);
    if (isException(host.name, given.name)) {
      test.fails(given.name, { timeout: 5_000 }, run);
    } else test(given.name, run);
  }
});
