import { deepStrictEqual } from "node:assert";
import { once } from "node:events";
import { createServer } from "node:http";
import { idempotency, memoryAnswers } from "@ridlkit/runtime/idempotency";
import { toNodeHandler } from "@ridlkit/runtime/node";
import { run } from "./metro.js";
import { files, openRealm, packages } from "./react-native.js";
import { NoPaperError } from "./server/errors.js";
import { createPhotosServer } from "./server/server.js";

const at = (day) => `2026-11-0${day}T00:00:00Z`;
let orders = 0;
let watchers = 0;
const photos = new Map();

const server = createPhotosServer({
  idempotency: idempotency(memoryAnswers()),
  handlers: {
    photos: {
      async addPhoto({ name, content }) {
        const body = await new Response(content.stream()).arrayBuffer();
        photos.set(name, [...new Uint8Array(body)]);
        return { bytes: body.byteLength };
      },
      orderPrints({ count }) {
        if (count > 100) throw new NoPaperError();
        orders += 1;
        // The answer to the first order is lost.
        if (orders === 1) http.closeAllConnections();
        return { order: orders };
      },
      getOrder: () => ({ change: { state: "sent", at: at(3) } }),
      async *watchOrder({ order }, { signal }) {
        watchers += 1;
        try {
          yield { change: { state: "printing", at: at(1) } };
          yield { change: { state: "packed", at: at(2) } };
          // The second order gets stuck.
          if (order === 2 && !signal.aborted) await once(signal, "abort");
          else yield { change: { state: "sent", at: at(3) } };
        } finally {
          watchers -= 1;
        }
      },
    },
  },
});
const http = createServer(toNodeHandler(server)).listen(0);
await once(http, "listening");
const fail = () => {
  throw new Error("the app waits for too long");
};
setTimeout(fail, 200_000).unref();

try {
  const realm = openRealm();
  const { createApp } = await run("app.js", realm, packages);
  const app = createApp(`http://localhost:${http.address().port}`);

  const content = [0xff, 0xd8, 0xff, 0, 1, 2, 3];
  const uri = "file:///data/cache/1.jpg";
  files.set(uri, new Blob([new Uint8Array(content)], { type: "image/jpeg" }));
  const photo = { uri, fileName: "1.jpg", mimeType: "image/jpeg" };
  deepStrictEqual(await app.addPhoto(photo), content.length);
  deepStrictEqual(photos, new Map([["1.jpg", content]]));

  deepStrictEqual(await app.orderPrints("draft 1", "1.jpg", 2), 1);
  deepStrictEqual(await app.orderPrints("draft 1", "1.jpg", 2), 1);
  deepStrictEqual(await app.orderPrints("draft 2", "1.jpg", 2), 2);
  deepStrictEqual(await app.orderPrints("draft 3", "1.jpg", 1000), null);

  const states = [];
  const add = (state, time) => states.push([state, time.getUTCDate()]);
  await app.watchOrder(1, add, new realm.AbortController().signal);
  deepStrictEqual(states, [
    ["printing", 1],
    ["packed", 2],
    ["sent", 3],
  ]);
  const controller = new realm.AbortController();
  const leave = (state) => state === "packed" && controller.abort();
  await app.watchOrder(2, leave, controller.signal);
  while (watchers > 0) await new Promise((resolve) => setTimeout(resolve, 10));
} finally {
  http.closeAllConnections();
  http.close();
}
