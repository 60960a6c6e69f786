import { afterAll, beforeAll, describe, test } from "vitest";
import { expectAnswer } from "../conformance/expect-answer.js";
import type { Running } from "../runtime/hosts.js";
import { isException } from "./exceptions.js";
import { hosts } from "./hosts.js";
import { requestCases } from "./request-cases.js";
import { startHost } from "./start-host.js";

const app = {
  contract: "conformance/conformance.ridl",
  module: "conformance/conformance-server.ts",
  create: "createConformance",
};

describe.each(hosts.map((host) => [host.name, host] as const))(
  "requests to %s",
  (_, host) => {
    let running: Running;
    beforeAll(async () => {
      const { connect } = await startHost(host, app);
      running = connect();
    });
    afterAll(() => running.close());

    for (const given of requestCases) {
      const run = (): Promise<void> => expectAnswer(running, given);
      // Some exceptions are responses that never end.
      if (isException(host.name, given.name)) {
        test.fails(given.name, { timeout: 5_000 }, run);
      } else test(given.name, run);
    }
  },
);
