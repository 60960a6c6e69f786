import { createServer as createHttpServer } from "node:http";
import { connect } from "node:net";
import { afterEach, describe, expect, expectTypeOf, it } from "vitest";
import { toNodeHandler } from "@ridlkit/runtime/node";
import { isFileData, toFile, type FileData } from "@ridlkit/runtime/file-data";
import type { Outcome, RpcServer } from "@ridlkit/runtime/server";
import { callTransfer } from "@ridlkit/runtime/transfer";
import {
  createFilesHostClient,
  picturesDownload,
  TooBigError,
  type FilesHostClient,
  type FilesHostOptions,
  type UploadRequest,
} from "../golden/fixtures/files/expected/index.js";
import {
  createFilesServer,
  type FilesServerOptions,
  type PicturesHandler,
} from "../golden/fixtures/files/expected/server.js";
import { createStreamHostClient } from "../golden/fixtures/bad-names-streams/expected/index.js";
import { createStreamServer } from "../golden/fixtures/bad-names-streams/expected/server.js";
import { hosts, type Running } from "../behavior/typescript/hosts.js";
import { lambdaHost } from "../behavior/typescript/lambda-hosts.js";
import { listenForTest } from "../support/listen-for-test.js";

async function bytesOf(file: FileData): Promise<Uint8Array> {
  return new Uint8Array(await new Response(file.stream()).arrayBuffer());
}

/** Compares many bytes, because a matcher would be slow. */
function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}

const everyByte = Uint8Array.from({ length: 256 * 300 }, (_, i) => i % 256);

const pictures: PicturesHandler = {
  async upload({ avatar, note, others = [], userId }) {
    if (userId === 413) throw new TooBigError();
    const all = [avatar, ...others];
    const sizes = all.map(async (file) => (await bytesOf(file)).byteLength);
    return {
      names: [
        ...all.map(({ name, type }) => `${name} (${type})`),
        ...(note === undefined ? [] : [note]),
      ],
      size: (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0),
    };
  },
  download({ userId }) {
    if (userId === 404) throw new TooBigError({ cause: "no such picture" });
    const name = userId === 1 ? "plain.png" : 'é "\\\r\n\u{1f600}.png';
    return { file: new File([everyByte], name, { type: "image/png" }) };
  },
  async grey({ picture }) {
    return { picture: { type: picture.type, stream: () => picture.stream() } };
  },
  count: () => ({ count: 7 }),
};

function createServer(options: Partial<FilesServerOptions> = {}): RpcServer {
  return createFilesServer({
    handlers: { pictures },
    verifySecret: (value) => value === "sesame",
    ...options,
  });
}

const running: Running[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map(({ close }) => close()));
});

/** Creates a client for a server in this process. */
function clientOf(
  server: RpcServer,
  options: Partial<FilesHostOptions> = {},
): FilesHostClient {
  return createFilesHostClient({
    baseUrl: "http://host",
    credentials: { secret: "sesame" },
    fetch: (url, init) => server.fetch(new Request(url, init)),
    ...options,
  });
}

const avatar = new File([everyByte], "me.png", { type: "image/png" });

describe.each(hosts)("files on $name", (host) => {
  async function startClient(): Promise<FilesHostClient> {
    const started = await host.start(createServer());
    running.push(started);
    return clientOf(createServer(), { fetch: started.fetch });
  }

  it("arrive unchanged, together with the other fields", async () => {
    const { pictures } = await startClient();
    const request: UploadRequest = {
      userId: 7,
      avatar,
      others: [
        new Blob(["one"], { type: "text/plain" }),
        new File(["two"], 'é "quoted".txt', { type: "text/plain" }),
      ],
      note: "naïve",
    };
    expect(await pictures.upload(request)).toEqual({
      names: [
        "me.png (image/png)",
        "others (text/plain)",
        'é "quoted".txt (text/plain)',
        "naïve",
      ],
      size: everyByte.length + 6,
    });
  });

  it("are downloaded completely, with their names and types", async () => {
    const { pictures } = await startClient();
    const { file } = await pictures.download({ userId: 1 });
    expectTypeOf(file).toEqualTypeOf<FileData>();
    expect(file).toMatchObject({ name: "plain.png", type: "image/png" });
    expect(isSame(await bytesOf(file), everyByte)).toBe(true);
    const odd = await pictures.download({ userId: 2 });
    expect(odd.file.name).toBe('é "\\\r\n\u{1f600}.png');
  });

  it("can be sent both ways in one call, alongside calls without files", async () => {
    const { pictures } = await startClient();
    const { picture } = await pictures.grey({ picture: avatar });
    expect(isSame(await bytesOf(picture), everyByte)).toBe(true);
    expect(picture.type).toBe("image/png");
    expect(await pictures.count()).toEqual({ count: 7 });
  });

  it("fail with the contract's errors", async () => {
    const { pictures } = await startClient();
    await expect(
      pictures.upload({ userId: 413, avatar }),
    ).rejects.toBeInstanceOf(TooBigError);
    const missing = await pictures.download.result({ userId: 404 });
    expect(missing).toMatchObject({
      ok: false,
      error: { name: "TooBig", status: 413, cause: "no such picture" },
    });
  });

  it("are validated like any field", async () => {
    const { pictures } = await startClient();
    const none = { userId: 0 } as UploadRequest;
    await expect(pictures.upload(none)).rejects.toMatchObject({
      name: "WebrpcBadRequest",
      cause:
        "userId: expected an unsigned 32-bit integer of at least 1, got 0; " +
        "avatar: expected a file, got nothing",
    });
  });
});

it("answers downloads on Lambda", async () => {
  const { send } = await lambdaHost.start(createServer());
  const answer = await send({
    verb: "POST",
    path: "/rpc/Pictures/Download",
    headers: { "content-type": "application/json" },
    body: new TextEncoder().encode('{"userId":1}'),
  });
  expect(answer.status).toBe(200);
  expect(answer.header("content-type")).toBe("image/png");
  expect(answer.text.length).toBeGreaterThan(everyByte.length / 2);
});

describe("a client with files", () => {
  it("sends a file that is a stream rather than a Blob", async () => {
    const sent: FormData[] = [];
    const client = clientOf(createServer(), {
      fetch: async (_url, init) => {
        expect(new Headers(init.headers).has("content-type")).toBe(false);
        if (init.body instanceof FormData) sent.push(init.body);
        return Response.json({ names: [], size: 0 });
      },
    });
    const streamed: FileData = {
      name: "data.csv",
      type: "text/csv",
      stream: () => new Response("a,b").body ?? new ReadableStream(),
    };
    const absent: object = { others: undefined };
    await client.pictures.upload({ userId: 1, avatar: streamed, ...absent });
    const [form] = sent;
    expect([...(form?.keys() ?? [])]).toEqual(["json", "avatar"]);
    expect(form?.get("json")).toBe('{"userId":1}');
    const part = form?.get("avatar");
    expect(part).toBeInstanceOf(File);
    expect(part).toMatchObject({ name: "data.csv", type: "text/csv", size: 3 });
  });

  it("stops reading a stream when the call fails", async () => {
    const client = clientOf(createServer());
    const upload = (options: object) => {
      let isCanceled = false;
      const cancel = (): void => void (isCanceled = true);
      const stream = () => new ReadableStream<Uint8Array>({ cancel });
      const avatar = { type: "text/csv", stream };
      const outcome = client.pictures.upload({ userId: 1, avatar }, options);
      return { outcome, isCanceled: () => isCanceled };
    };
    const late = upload({ timeoutMs: 10 });
    await expect(late.outcome).rejects.toMatchObject({ reason: "timeout" });
    await expect.poll(late.isCanceled).toBe(true);
    const aborted = upload({ signal: AbortSignal.abort() });
    await expect(aborted.outcome).rejects.toMatchObject({ reason: "aborted" });
  });

  it("can call a single method", async () => {
    const fetch = (url: string, init: RequestInit) =>
      createServer().fetch(new Request(url, init));
    const options = { baseUrl: "http://host", fetch };
    const request = { userId: 1 };
    const { file } = await callTransfer(options, picturesDownload, request);
    expect(file.size).toBe(everyByte.length);
  });

  it.each([
    ['attachment; filename="a b.txt"', "a b.txt"],
    ["attachment; filename=plain.txt", "plain.txt"],
    [
      "attachment; filename=\"a; filename*=utf-8''b.txt\"",
      "a; filename*=utf-8''b.txt",
    ],
    ["attachment; filename*=utf-8'en'b.txt; filename=a.txt", "b.txt"],
    ['attachment; filename="C:\\"', "C:\\"],
    ['inline; filename="with \\"quotes\\" and \\\\"', 'with "quotes" and \\'],
    [
      "attachment; filename=\"e.txt\"; filename*=utf-8''%C3%A9.txt",
      "\u00e9.txt",
    ],
    ["attachment; filename*=UTF-8''%E9.txt; filename=\"e.txt\"", "e.txt"],
    ["attachment", ""],
    [null, ""],
  ])("reads the name in %s", async (disposition, expected) => {
    const headers = new Headers({ "content-type": "text/plain" });
    if (disposition !== null) headers.set("content-disposition", disposition);
    const client = clientOf(createServer(), {
      fetch: async () => new Response("x", { headers }),
    });
    const { file } = await client.pictures.download({ userId: 1 });
    expect(file).toMatchObject({ name: expected, type: "text/plain" });
  });

  it("recognizes a file", () => {
    expect(isFileData(new Blob([]))).toBe(true);
    expect([null, "file", {}, { stream: 1, type: "" }].some(isFileData)).toBe(
      false,
    );
  });
});

/** The request that a webrpc Go client sends. */
const goBody = [
  "--b0undary",
  'Content-Disposition: form-data; name="json"',
  "",
  '{"userId":7,"avatar":null,"others":null,"note":null}',
  "--b0undary",
  'Content-Disposition: form-data; name="avatar"; filename="me.png"',
  "Content-Type: image/png",
  "",
  "\u0000\u0001--b0undar\r\n--\r",
  "--b0undary",
  'Content-Disposition: form-data; name="others"; filename="a"',
  "Content-Type: application/octet-stream",
  "",
  "1",
  "--b0undary",
  'Content-Disposition: form-data; name="others"; filename="b"',
  "Content-Type: application/octet-stream",
  "",
  "",
  "--b0undary--",
  "",
].join("\r\n");

async function post(
  server: RpcServer,
  method: string,
  body: string,
  type = "multipart/form-data; boundary=b0undary",
): Promise<{ status: number; json: unknown }> {
  const request = new Request(`http://host/rpc/Pictures/${method}`, {
    method: "POST",
    headers: { "content-type": type, authorization: "Bearer sesame" },
    body,
  });
  const answer = await server.fetch(request);
  return { status: answer.status, json: await answer.json() };
}

describe("a server with files", () => {
  it("distinguishes a file named json from the part with the other fields", async () => {
    const nothing = async function* () {};
    const server = createStreamServer({
      handlers: {
        stream: {
          stream: nothing,
          constructor_: nothing,
          createStreams: nothing,
          then_: nothing,
          transfer: ({ stream, files }) => ({
            file: { stream: [stream, ...files].map((f) => f.name).join() },
          }),
          createTransfers: ({ transfer }) => ({ file: transfer }),
        },
        transfer: { stream: ({ json }) => ({ file: json }) },
      },
    });
    const { stream, transfer } = createStreamHostClient({
      baseUrl: "http://host",
      fetch: (url, init) => server.fetch(new Request(url, init)),
    });
    const { file } = await transfer.stream({ json: avatar });
    expect((await toFile(file)).size).toBe(avatar.size);
    const files = [new Blob(["1"]), new File(["2"], "two")];
    expect(await stream.transfer({ stream: avatar, files })).toEqual({
      file: { stream: "me.png,files,two" },
    });
  });

  it("accepts the other fields as a Blob, as browsers send it", async () => {
    const asBlob = goBody.replace(
      'name="json"',
      'name="json"; filename="blob"\r\nContent-Type: application/json',
    );
    const { status } = await post(createServer(), "Upload", asBlob);
    expect(status).toBe(200);
  });

  it("accepts the form of a Go client", async () => {
    expect(await post(createServer(), "Upload", goBody)).toEqual({
      status: 200,
      json: {
        names: [
          "me.png (image/png)",
          "a (application/octet-stream)",
          "b (application/octet-stream)",
        ],
        size: 17,
      },
    });
  });

  it.each<[string, string, string | undefined, RegExp]>([
    [
      "JSON",
      '{"userId":7}',
      "application/json",
      /^content-type: expected multipart\/form-data, got "application\/json"$/u,
    ],
    [
      "a different form",
      "userId=7",
      "application/x-www-form-urlencoded",
      /^content-type: expected multipart\/form-data/u,
    ],
    [
      "a missing boundary",
      goBody,
      "multipart/form-data",
      /^body: expected multipart\/form-data$/u,
    ],
    [
      "a truncated form",
      goBody.slice(0, 200),
      undefined,
      /^body: expected multipart\/form-data$/u,
    ],
    [
      "malformed JSON",
      goBody.replace('{"userId"', '{userId"'),
      undefined,
      /^part json is not JSON/u,
    ],
    [
      "a list as the message",
      goBody.replace(/\{.*\}/u, "[1]"),
      undefined,
      /^part json: expected a JSON object, got a list$/u,
    ],
    [
      "null in place of required fields",
      goBody.replace(/\{.*\}/u, "null"),
      undefined,
      /^userId: .* got nothing$/u,
    ],
    [
      "text instead of a file",
      goBody.replace('name="avatar"; filename="me.png"', 'name="avatar"'),
      undefined,
      /^avatar: expected a file, got nothing$/u,
    ],
    [
      "a missing part for the other fields",
      goBody.replace('name="json"', 'name="other"'),
      undefined,
      /^userId: .* got nothing$/u,
    ],
  ])("rejects %s", async (_, body, type, cause) => {
    const { status, json } = await post(createServer(), "Upload", body, type);
    expect(status).toBe(cause.source.startsWith("^content-type") ? 415 : 400);
    expect(json).toMatchObject({
      error: "WebrpcBadRequest",
      cause: expect.stringMatching(cause),
    });
  });

  it("requires credentials before it reads the form", async () => {
    const client = clientOf(createServer(), { credentials: {} });
    await expect(
      client.pictures.upload({ userId: 1, avatar }),
    ).rejects.toMatchObject({ name: "Unauthorized" });
  });

  it("limits the size of the whole form and of the message in it", async () => {
    const small = createServer({ maxUploadBytes: goBody.length - 1 });
    expect(await post(small, "Upload", goBody)).toMatchObject({
      status: 413,
      json: { cause: `body larger than ${goBody.length - 1} bytes` },
    });
    const fits = { maxUploadBytes: goBody.length, maxBodyBytes: 52 };
    const exact = createServer({ methods: { "Pictures/Upload": fits } });
    expect((await post(exact, "Upload", goBody)).status).toBe(200);
    const short = createServer({ maxBodyBytes: 51 });
    expect(await post(short, "Upload", goBody)).toMatchObject({
      status: 413,
      json: { cause: "body larger than 51 bytes" },
    });
  });

  it("neutralizes unsafe names and types in the headers of a download", async () => {
    const file = (name: string, type: string): FileData => ({
      name,
      type,
      stream: () => new Blob(["x"]).stream(),
    });
    const answer = async (given: FileData): Promise<Headers> => {
      const handlers = {
        pictures: { ...pictures, download: () => ({ file: given }) },
      };
      const { headers, status } = await createServer({ handlers }).fetch(
        new Request("http://host/rpc/Pictures/Download", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: '{"userId":1}',
        }),
      );
      expect(status).toBe(200);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      return headers;
    };
    const evil = await answer(file('"\r\nSet-Cookie: a=b', "a/b\r\nx: y"));
    expect(evil.get("content-type")).toBe("application/octet-stream");
    expect(evil.get("content-disposition")).toBe(
      'attachment; filename="\\"__Set-Cookie: a=b"; filename*=UTF-8\'\'%22%0D%0ASet-Cookie%3A%20a%3Db',
    );
    expect(evil.get("set-cookie")).toBeNull();
    const quoted = await answer(file("é'(1)*", "text/plain"));
    expect(quoted.get("content-disposition")).toBe(
      "attachment; filename=\"_'(1)*\"; filename*=UTF-8''%C3%A9%27%281%29%2a",
    );
    const nameless = await answer(file("", ""));
    expect(nameless.get("content-disposition")).toBe("attachment");
    const text = await answer(file("a.txt", "text/plain; charset=utf-8"));
    expect(text.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(text.get("content-disposition")).toBe(
      'attachment; filename="a.txt"',
    );
  });

  it("lets web pages read the name of a download", async () => {
    const cors = { origins: "*" } as const;
    const request = new Request("http://host/rpc/Pictures/Download", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        origin: "https://app.example.com",
      },
      body: '{"userId":1}',
    });
    const { headers } = await createServer({ cors }).fetch(request);
    expect(headers.get("access-control-expose-headers")).toBe(
      "Retry-After, Content-Disposition",
    );
    expect(headers.get("content-type")).toBe("image/png");
  });

  it("refuses to send values that are not files", async () => {
    const handlers = {
      pictures: { ...pictures, download: () => ({ file: {} as FileData }) },
    };
    for (const validateResponses of ["throw", "off"] as const) {
      const client = clientOf(createServer({ handlers, validateResponses }));
      await expect(
        client.pictures.download({ userId: 1 }),
      ).rejects.toMatchObject({ name: "WebrpcBadResponse", status: 500 });
    }
  });
});

describe("a download over a real connection", () => {
  async function serve(
    file: FileData,
    outcomes: Outcome[] = [],
    errors: unknown[] = [],
  ): Promise<{ port: number; fetch: () => Promise<Response> }> {
    const server = createServer({
      handlers: { pictures: { ...pictures, download: () => ({ file }) } },
      observe: () => (outcome) => void outcomes.push(outcome),
      onError: (error) => void errors.push(error),
    });
    const http = createHttpServer(toNodeHandler(server));
    const { port, url } = await listenForTest(http);
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: '{"userId":1}' };
    return { port, fetch: () => fetch(`${url}/rpc/Pictures/Download`, init) };
  }

  it("has a known length, and is cut off if it breaks", async () => {
    const errors: unknown[] = [];
    const outcomes: Outcome[] = [];
    const whole = await serve(avatar, outcomes);
    const answer = await whole.fetch();
    expect(answer.headers.get("content-length")).toBe(`${everyByte.length}`);
    expect((await answer.arrayBuffer()).byteLength).toBe(everyByte.length);
    await expect
      .poll(() => outcomes)
      .toMatchObject([
        { status: 200, error: null, responseBytes: everyByte.length },
      ]);

    let pulls = 0;
    const broken = await serve(
      {
        type: "text/plain",
        stream: () =>
          new ReadableStream({
            pull(controller) {
              pulls += 1;
              if (pulls > 3) controller.error(new Error("disk"));
              else controller.enqueue(new TextEncoder().encode("part"));
            },
          }),
      },
      outcomes,
      errors,
    );
    const half = broken.fetch().then((answer) => answer.text());
    await expect(half).rejects.toThrow();
    expect(errors).toMatchObject([{ message: "disk" }]);
    expect(outcomes[1]).toMatchObject({ error: "WebrpcInternalError" });
  });

  it.each([2, 4])(
    "is cut off if it declares %i bytes but has 3",
    async (size) => {
      const errors: unknown[] = [];
      const stream = () => new Blob(["abc"]).stream();
      const { fetch } = await serve({ type: "", size, stream }, [], errors);
      await expect(fetch().then((answer) => answer.text())).rejects.toThrow();
      expect(String(errors[0])).toContain(`does not have ${size} bytes`);
    },
  );

  it("is read no faster than it is sent, and canceled when the client disconnects", async () => {
    let pulled = 0;
    let isCancelled = false;
    const outcomes: Outcome[] = [];
    const { port } = await serve(
      {
        type: "application/octet-stream",
        stream: () =>
          new ReadableStream({
            pull(controller) {
              pulled += 1;
              controller.enqueue(new Uint8Array(100_000));
            },
            cancel: () => void (isCancelled = true),
          }),
      },
      outcomes,
    );
    const socket = connect(port, "127.0.0.1");
    socket.write(
      "POST /rpc/Pictures/Download HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n" +
        '{"userId":1}',
    );
    socket.pause();
    let before = -1;
    while (pulled !== before || pulled === 0) {
      before = pulled;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    expect(pulled).toBeLessThan(300);
    socket.destroy();
    for (let waited = 0; !isCancelled && waited < 200; waited += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(isCancelled).toBe(true);
    expect(outcomes).toMatchObject([{ error: "WebrpcClientDisconnected" }]);
  });
});
