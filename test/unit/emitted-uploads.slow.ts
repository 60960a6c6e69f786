import { once } from "node:events";
import { Agent, createServer as createHttpServer, request } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { toNodeHandler } from "@ridlkit/runtime/node";
import type { FileData } from "@ridlkit/runtime/file-data";
import { TooBigError } from "../golden/fixtures/files/expected/errors.js";
import {
  createFilesServer,
  type FilesServerOptions,
  type PicturesHandler,
} from "../golden/fixtures/files/expected/server.js";
import { hosts, type Running } from "../behavior/typescript/hosts.js";
import { listenForTest } from "../support/listen-for-test.js";

const none: PicturesHandler = {
  upload: () => ({ names: [], size: 0 }),
  download: ({ userId }) => ({ file: new Blob([String(userId)]) }),
  grey: ({ picture }) => ({ picture }),
  count: () => ({ count: 0 }),
};

type Grey = PicturesHandler["grey"];

function createServer(
  grey: Grey,
  options: Partial<FilesServerOptions> = {},
): ReturnType<typeof createFilesServer> {
  return createFilesServer({
    handlers: { pictures: { ...none, grey } },
    verifySecret: () => true,
    ...options,
  });
}

const running: Running[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map(({ close }) => close()));
});

const start = [
  "--b",
  'Content-Disposition: form-data; name="json"',
  "",
  "{}",
  "--b",
  'Content-Disposition: form-data; name="picture"; filename="p.png"',
  "Content-Type: image/png",
  "",
  "",
].join("\r\n");
const end = "\r\n--b--\r\n";

/** Opens a connection, and sends the start of an upload on it. */
async function openUpload(
  grey: Grey,
  length: number,
  options?: Partial<FilesServerOptions>,
): Promise<{ socket: Socket; answer: () => Promise<string> }> {
  const http = createHttpServer(toNodeHandler(createServer(grey, options)));
  const { port } = await listenForTest(http);
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  let text = "";
  socket.on("data", (data) => (text += String(data)));
  socket.write(
    "POST /rpc/Pictures/Grey HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" +
      "Content-Type: multipart/form-data; boundary=b\r\n" +
      `Content-Length: ${start.length + length + end.length}\r\n\r\n${start}`,
  );
  return {
    socket,
    answer: async () => {
      // `once` of node:events would reject if the connection is reset.
      if (!socket.closed) {
        await new Promise((resolve) => socket.once("close", resolve));
      }
      return text;
    },
  };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function lengthOf(file: FileData): Promise<number> {
  let length = 0;
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return length;
    length += value.byteLength;
  }
}

describe("a single file", () => {
  it("is passed on and sent back while it arrives", async () => {
    const seen: unknown[] = [];
    const { answer, socket } = await openUpload(({ picture }) => {
      const { name, size, type } = picture;
      seen.push({ name, size, type });
      return { picture: { type, stream: () => picture.stream() } };
    }, 6);
    while (seen.length === 0) await sleep(5);
    expect(seen).toEqual([
      { name: "p.png", size: undefined, type: "image/png" },
    ]);
    socket.write("abc");
    await sleep(20);
    socket.write(`def${end}`);
    const text = await answer();
    expect(text).toMatch(/^HTTP\/1.1 200 OK\r\n/u);
    expect(text.toLowerCase()).toContain("content-type: image/png");
    expect(text.replace(/^[^]*?\r\n\r\n/u, "")).toMatch(/abc[^]*def/u);
  });

  it("arrives no faster than the handler reads it", async () => {
    const size = 64 * 1024 * 1024;
    let goOn = (): void => {};
    const waiting = new Promise<void>((resolve) => (goOn = resolve));
    const { answer, socket } = await openUpload(
      async ({ picture }) => {
        await waiting;
        const length = await lengthOf(picture);
        return { picture: new Blob([String(length)]) };
      },
      size,
      { maxUploadBytes: size + 1000 },
    );
    const piece = new Uint8Array(1024 * 1024);
    let isHeldBack = false;
    for (let sent = 0; sent < 64; sent += 1) {
      if (socket.write(piece)) continue;
      const drained = once(socket, "drain");
      const isDrained = await Promise.race([
        drained.then(() => true),
        sleep(300).then(() => false),
      ]);
      if (isDrained) continue;
      // Neither the server nor the network buffers any more data.
      isHeldBack = true;
      goOn();
      await drained;
    }
    expect(isHeldBack).toBe(true);
    socket.write(end);
    expect(await answer()).toContain(`\r\n${size}`);
  });

  it("fails with 413 for its reader if it is too long", async () => {
    const { answer, socket } = await openUpload(
      async ({ picture }) => {
        await lengthOf(picture);
        return { picture };
      },
      5000,
      { maxUploadBytes: 5000 },
    );
    socket.write(`${"x".repeat(5000)}${end}`);
    const text = await answer();
    expect(text).toContain("HTTP/1.1 413");
    expect(text).toContain("body larger than 5000 bytes");
  });

  it("fails with 413 for its reader if it is too long and has no length", async () => {
    const grey: Grey = async ({ picture }) => {
      await lengthOf(picture);
      return { picture };
    };
    const server = createServer(grey, { maxUploadBytes: 5000 });
    const http = createHttpServer(toNodeHandler(server));
    const { url } = await listenForTest(http);
    const init: RequestInit & { duplex: "half" } = {
      method: "POST",
      headers: { "content-type": "multipart/form-data; boundary=b" },
      body: new Blob([start, "x".repeat(5000), end]).stream(),
      duplex: "half",
    };
    const answer = await fetch(`${url}/rpc/Pictures/Grey`, init);
    expect(answer.status).toBe(413);
    expect(answer.headers.get("connection")).toBe("close");
    expect(await answer.text()).toContain("body larger than 5000 bytes");
  });

  it("fails for its reader if the connection is lost", async () => {
    const failures: unknown[] = [];
    let isRunning = false;
    const { socket } = await openUpload(async ({ picture }, { signal }) => {
      isRunning = true;
      await lengthOf(picture).catch((error: unknown) => failures.push(error));
      failures.push(signal.aborted);
      return { picture };
    }, 5000);
    socket.write("x");
    await expect.poll(() => isRunning).toBe(true);
    socket.destroy();
    await expect
      .poll(() => failures)
      .toMatchObject([{ name: "WebrpcClientDisconnected" }, true]);
  });

  it("can be read only once", async () => {
    const { answer, socket } = await openUpload(async ({ picture }) => {
      await lengthOf(picture);
      expect(() => picture.stream()).toThrow("was already read");
      return { picture: new Blob(["once"]) };
    }, 1);
    socket.write(`x${end}`);
    expect(await answer()).toContain("once");
  });
});

describe.each(hosts.filter(({ name }) => !["fetch", "Hono"].includes(name)))(
  "a connection on $name",
  ({ start: startHost }) => {
    it("can be reused after an unread upload", async () => {
      const started = await startHost(
        createServer(async ({ picture }) => {
          if (picture.name === "half") {
            await picture.stream().getReader().read();
          }
          return { picture: new Blob([`${picture.name} done`]) };
        }),
      );
      running.push(started);
      const probe = await started.fetch("http://host/", { method: "POST" });
      const { port } = new URL(probe.url);
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const sockets = new Set<unknown>();
      for (const name of ["half", "unread", "half", "unread"]) {
        const body = start.replace("p.png", name) + "x".repeat(2_000_000) + end;
        const answer = await new Promise<string>((resolve, reject) => {
          const outgoing = request({
            port,
            agent,
            method: "POST",
            path: "/rpc/Pictures/Grey",
            headers: { "content-type": "multipart/form-data; boundary=b" },
          });
          outgoing.on("socket", (socket) => sockets.add(socket));
          outgoing.on("error", reject);
          outgoing.on("response", (incoming) => {
            let text = "";
            incoming.on("data", (data) => (text += String(data)));
            incoming.on("end", () => resolve(text));
          });
          outgoing.end(body);
        });
        expect(answer).toBe(`${name} done`);
      }
      agent.destroy();
      expect(sockets.size).toBe(1);
    });
  },
);

describe.each(hosts)("uploads on $name", ({ start: startHost }) => {
  const big = new File([new Uint8Array(3_000_000)], "big", { type: "a/b" });

  async function send(grey: Grey): Promise<Response> {
    const started = await startHost(createServer(grey));
    running.push(started);
    const form = new FormData();
    form.append("json", "{}");
    form.append("picture", big);
    const url = "http://host/rpc/Pictures/Grey";
    return started.fetch(url, { method: "POST", body: form });
  }

  it("may be left unread or half read", async () => {
    const unread = await send(() => ({ picture: new Blob(["unread"]) }));
    expect([unread.status, await unread.text()]).toEqual([200, "unread"]);
    const half = await send(async ({ picture }) => {
      const reader = picture.stream().getReader();
      await reader.read();
      await reader.cancel();
      return { picture: new Blob(["half"]) };
    });
    expect([half.status, await half.text()]).toEqual([200, "half"]);
  });

  it("may be rejected while they arrive", async () => {
    const refused = await send(() => {
      throw new TooBigError();
    });
    expect(refused.status).toBe(413);
    expect(await refused.json()).toMatchObject({ error: "TooBig" });
  });

  it("are complete, whatever their size", async () => {
    const answer = await send(async ({ picture }) => {
      const length = await lengthOf(picture);
      return { picture: new Blob([`${picture.name} ${length}`]) };
    });
    expect(await answer.text()).toBe("big 3000000");
  });
});
