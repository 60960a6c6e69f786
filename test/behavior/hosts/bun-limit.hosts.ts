import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { hosts } from "./hosts.js";
import { lifeCycleApp } from "./start-place.js";
import { startHost } from "./start-host.js";

const bun = hosts.filter(({ name }) => name === "Bun");

/** Announces a body, and returns the whole response. */
async function announce(port: number, length: number): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(
    `POST /rpc/Probe/Open HTTP/1.1\r\nHost: test\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${String(length)}\r\n\r\n`,
  );
  const parts: Buffer[] = [];
  socket.on("data", (part: Buffer) => parts.push(part));
  await once(socket, "data");
  socket.destroy();
  return Buffer.concat(parts).toString();
}

test.each([
  ["128 MB", "", 2 ** 27],
  ["its setting", ", maxRequestBodySize: 1 << 28", 2 ** 28],
])("Bun refuses bodies above %s itself", async (name, setting, limit) => {
  const [host] = bun;
  if (host?.program === undefined) throw new Error("there is no host Bun");
  const program = host.program.replace("fetch };", `fetch${setting} };`);
  const started = await startHost({ ...host, name, program }, lifeCycleApp);
  try {
    // Up to the limit, the server refuses the body, and says why.
    const ours = await announce(started.port, limit);
    expect(ours).toMatch(/^HTTP\/1\.1 413 .*"WebrpcBadRequest"/su);
    const itsOwn = await announce(started.port, limit + 1);
    expect(itsOwn).toMatch(/^HTTP\/1\.1 413 [^{]*$/u);
  } finally {
    await started.close();
  }
});
