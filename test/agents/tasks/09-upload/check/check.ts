import { deepStrictEqual, strictEqual } from "node:assert";
import { inProcess } from "@ridlkit/runtime/in-process";
import { createUsersClient } from "./generated/client.js";
import { pictures, users } from "./users.js";

const client = createUsersClient({ baseUrl: "", fetch: inProcess(users) });
const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1, 2, 3]);
const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 1]);
for (const [user, content] of [
  ["Ada", png],
  ["Bob", jpeg],
] as const) {
  const picture = new Blob([content], { type: "text/plain" });
  const { bytes } = await client.setPicture({ user, picture });
  strictEqual(bytes, content.length);
  deepStrictEqual([...(pictures.get(user) ?? [])], [...content]);
}

const text = new Blob(["text"], { type: "image/png" });
const refused = await client.setPicture.result({ user: "Eve", picture: text });
strictEqual(refused.ok ? "" : refused.error.name, "NotAnImage");
strictEqual(refused.ok ? 200 : refused.error.status, 415);

let sent = 0;
const endless = new ReadableStream<Uint8Array>({
  pull(controller) {
    const chunk = new Uint8Array(10_000);
    chunk.set(png);
    sent += 1;
    if (sent > 1000) controller.close();
    else controller.enqueue(chunk);
  },
});
const large = { type: "image/png", stream: () => endless };
const tooLarge = await client.setPicture.result({
  user: "Eve",
  picture: large,
});
strictEqual(tooLarge.ok, false);
const big = new Blob([png, new Uint8Array(200_000)]);
const cut = await client.setPicture.result({ user: "Eve", picture: big });
strictEqual(
  cut.ok ? 200 : cut.error.status >= 400 && cut.error.status < 500,
  true,
);
strictEqual(pictures.has("Eve"), false);
