import { expect, it } from "vitest";
import { hosts } from "../typescript/hosts.js";
import { lambdaHost } from "../typescript/lambda-hosts.js";
import { serverCases } from "../../../tools/conformance/server-cases/index.js";
import { http2Host } from "./http2-host.js";
import { expectNothing, onePlace, watchServer } from "./open-resources.js";
import { serveContract } from "./served-contract.js";

const plain = { int64: "number", timestamp: "string" } as const;

const cases = serverCases.filter(
  ({ int64 = "number", timestamp = "string" }) =>
    int64 === "number" && timestamp === "string",
);

it.each([...hosts, http2Host, lambdaHost])(
  "a server on $name releases all resources after every case",
  async ({ start }) => {
    const { server } = await serveContract(plain, onePlace);
    const watched = watchServer(server);
    const running = await start(watched.server);
    let kept = 0;
    const json = { "Content-Type": "application/json" };
    for (const { name, verb = "POST", path, headers, body = "{}" } of cases) {
      const bytes =
        typeof body === "string" ? new TextEncoder().encode(body) : body;
      const sent = { verb, path, headers: headers ?? json, body: bytes };
      const { status } = await running.send(sent);
      expect([name, status]).not.toEqual([name, 503]);
      // A form is read up to its last delimiter, and its host drops the rest.
      const unread = name.startsWith("files: ") ? watched.open().bodies : kept;
      const open = () => ({
        ...watched.open(),
        bodies: Math.max(0, watched.open().bodies - unread),
      });
      await expectNothing(open);
      kept = unread;
    }
    await running.close();
  },
);
