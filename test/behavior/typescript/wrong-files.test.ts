import { expect, it, vi } from "vitest";
import { rpc } from "../../../runtime/typescript/codegen/create-client.js";
import { sendFile } from "../../../runtime/typescript/codegen/send-file.js";
import { sendParts } from "../../../runtime/typescript/codegen/send-parts.js";
import { transfer } from "../../../runtime/typescript/codegen/create-transfers.js";
import { call } from "../../../runtime/typescript/client/client.js";
import type {
  ClientMethod,
  Fetch,
} from "../../../runtime/typescript/client/client.js";
import {
  callTransfer,
  type TransferMethod,
} from "../../../runtime/typescript/client/transfer.js";

const whole: ClientMethod<object, {}, never> = rpc("/whole", {
  use: [sendFile("photo")],
});
const parts: ClientMethod<object, {}, never> = rpc("/parts", {
  use: [sendParts({ photo: "photo" })],
});
const upload: TransferMethod<object, {}, never> = transfer("/upload", {
  files: ["photo"],
});

function openServer() {
  const bodies: BodyInit[] = [];
  const fetch: Fetch = async (_, { body }) => {
    if (body != null) bodies.push(body);
    return new Response("{}");
  };
  const options = { baseUrl: "http://host", fetch };
  const send = {
    whole: (request: object) => call(options, whole, request),
    parts: (request: object) => call(options, parts, request),
    upload: (request: object) => callTransfer(options, upload, request),
  };
  return { bodies, send };
}

const wrong: readonly [string, unknown][] = [
  ["a string", "content"],
  ["bytes", new Uint8Array(3)],
  ["React Native's description", { uri: "file:///a", name: "a", type: "a/b" }],
  ["a stream", new Response("a").body],
  ["a list with one", [new Blob(["a"]), "content"]],
];

it.each(
  (["whole", "parts", "upload"] as const).flatMap((kind) =>
    wrong.map(([name, photo]) => [kind, name, photo] as const),
  ),
)("%s: %s is not sent as a file", async (kind, _, photo) => {
  const { bodies, send } = openServer();
  await expect(send[kind]({ photo })).rejects.toThrow(
    new TypeError("photo: expected a file, such as a Blob"),
  );
  expect(bodies).toEqual([]);
});

it.each(["whole", "parts", "upload"] as const)(
  "%s: a Blob without `stream`, as in React Native, is sent",
  async (kind) => {
    const { bodies, send } = openServer();
    const photo = new Blob(["content"], { type: "image/png" });
    Object.defineProperty(photo, "stream", { value: undefined });
    await send[kind]({ photo });
    expect(bodies).toHaveLength(1);
  },
);

it("a form is not sent without random numbers, as in React Native", async () => {
  const { bodies, send } = openServer();
  vi.stubGlobal("crypto", undefined);
  try {
    await expect(send.parts({ photo: new Blob(["a"]) })).rejects.toThrow(
      new TypeError("a form with files needs crypto.getRandomValues"),
    );
  } finally {
    vi.unstubAllGlobals();
  }
  expect(bodies).toEqual([]);
});
