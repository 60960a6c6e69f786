import { request as sendRequest, type ClientRequest } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it, onTestFinished } from "vitest";
import type { FileData } from "../../../runtime/typescript/wire/file-data.js";
import { drawSome } from "../../support/draw-some.js";
import { countReads } from "./count-reads.js";
import { hosts, listenerHost } from "./hosts.js";
import {
  createUploads,
  startOfUpload,
  uploadHeaders,
} from "./upload-server.js";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Returns the memory in use after garbage collection, in MiB. */
function megabytes(): number {
  collectGarbage();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return (arrayBuffers + heapUsed) / 1024 / 1024;
}

const count = 300;
const million = "x".repeat(1_000_000);

/** Sends a request whose body is never completed. */
function begin(
  port: number,
  start: string,
  headers: Readonly<Record<string, string>>,
): ClientRequest {
  const sent = sendRequest({
    ...{ host: "localhost", port, method: "POST", path: "/rpc/Files/Upload" },
    headers: {
      ...headers,
      "content-length": String(start.length + 1000),
      "request-timeout-ms": "1000",
    },
  });
  sent.on("error", () => {});
  sent.on("response", (response) => response.resume());
  sent.write(start);
  return sent;
}

const overHttp = [...hosts, listenerHost].filter(
  ({ name }) => name !== "fetch",
);

describe.each(drawSome(overHttp, 2))("$name", ({ start }) => {
  it.each([
    [
      "uploads",
      startOfUpload("fits") + million,
      uploadHeaders,
      { files: ["file"] },
    ],
    [
      "JSON bodies",
      `{"title":"${million}`,
      { "content-type": "application/json" },
      null,
    ],
  ])(
    `keeps nothing of ${count} unfinished %s after their deadline`,
    async (_, body, headers, fields) => {
      let runningCount = 0;
      const read = async (message: unknown): Promise<object> => {
        runningCount += 1;
        try {
          const { file } = message as { readonly file: FileData };
          for await (const chunk of file.stream()) void chunk;
        } finally {
          runningCount -= 1;
        }
        return {};
      };
      const options = { maxBodyBytes: 2_000_000 };
      const counted = countReads(createUploads(read, options, fields));
      const { close, port = 0 } = await start(counted.server);
      onTestFinished(close);
      const before = megabytes();
      const sent = Array.from({ length: count }, () =>
        begin(port, body, headers),
      );
      onTestFinished(() => sent.forEach((each) => void each.destroy()));
      await Promise.all(
        sent.map(
          (each) => new Promise((answer) => each.on("response", answer)),
        ),
      );
      // The other clients stay connected.
      for (const each of sent.slice(count / 2)) each.destroy();
      await expect.poll(() => runningCount).toBe(0);
      await expect.poll(counted.pendingCount).toBe(0);
      await expect.poll(() => megabytes() - before).toBeLessThan(40);
    },
  );
});
