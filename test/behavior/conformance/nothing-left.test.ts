import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hosts, type Running } from "../typescript/hosts.js";
import { lambdaHost } from "../typescript/lambda-hosts.js";
import { http2Host } from "./http2-host.js";
import {
  expectNothing,
  onePlace,
  type OpenResources,
  watchServer,
} from "./open-resources.js";
import { serveContract, type ServedContract } from "./served-contract.js";

const plain = { int64: "number", timestamp: "string" } as const;

describe.each([...hosts, http2Host, lambdaHost])(
  "a server on $name",
  ({ start }) => {
    let served: ServedContract;
    let open: () => OpenResources;
    let running: Running;
    beforeEach(async () => {
      served = await serveContract(plain, onePlace);
      const watched = watchServer(served.server);
      open = watched.open;
      running = await start(watched.server);
    });
    afterEach(() => running.close());

    const json = { "Content-Type": "application/json" };
    const post = (path: string, body: string, signal?: AbortSignal) =>
      running.fetch(`http://host${path}`, {
        ...{ method: "POST", headers: json, body },
        ...(signal && { signal }),
      });

    it("releases its resources after the client aborts a call", async () => {
      const controller = new AbortController();
      const call = post("/rpc/Time/Sleep", '{"ms":60000}', controller.signal);
      await expect.poll(served.startedCount).toBe(1);
      controller.abort();
      // The call rejects, except on hosts that still send a response.
      call.catch(() => undefined);
      await expect.poll(served.abortedCount).toBe(1);
      await expectNothing(open);
    });

    it("releases its resources after a client stops reading a stream", async () => {
      const answer = await post("/rpc/Lines/Endless", "{}");
      const reader = answer.body?.getReader();
      await reader?.read();
      await reader?.cancel();
      await expect.poll(served.leftCount).toBe(1);
      await expectNothing(open);
    });

    it("releases its resources when it is closed during a stream", async () => {
      const answer = await post("/rpc/Lines/Endless", "{}");
      const reader = answer.body?.getReader();
      await reader?.read();
      await running.close();
      // Without a connection, only the reader can end the stream.
      await reader?.cancel().catch(() => undefined);
      await expect.poll(served.leftCount).toBe(1);
      await expectNothing(open);
    });
  },
);
