import * as shop from "../.work/orval/shop.js";
import { address, check, everything, picture } from "./checks.js";

const both = { "X-Api-Key": "key", Authorization: "Bearer token" };

// Orval's client sends requests to paths, without a base address.
const { fetch: send } = globalThis;
globalThis.fetch = (input, init) => send(`${address}${String(input)}`, init);

const json = async (answer: Promise<{ readonly data: unknown }>) =>
  (await answer).data;
const echo = (text: string) =>
  json(shop.shopEcho("at", { ...everything, text }));
const getItem = (id: number, headers: Record<string, string>) =>
  json(shop.shopGetItem("at", { id }, { headers }));
const count = async (to: number) => {
  const answer: unknown = await shop.shopCount("at", { to });
  return Object(answer).stream.text();
};
const upload = (title: string) =>
  json(shop.shopUpload("at", { json: { title }, picture }));
// Orval's own function reads every response as JSON, even a file.
const download = (title: string) =>
  fetch(shop.getShopDownloadUrl("at"), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ title }),
  }).then((answer) => answer.text());

check(
  {
    ping: await json(shop.shopPing("at")),
    echo: await echo(everything.text),
    getItem: await getItem(2, both),
    getItems: await json(shop.shopGetItems([1, 2])),
    count: await count(3),
    upload: await upload("a"),
    download: await download("a"),
  },
  {
    ping: await json(shop.shopPing("zz")),
    echo: await echo("sold"),
    echoLimits: await echo("x".repeat(21)),
    getItem: await getItem(404, both),
    getItemKey: await getItem(2, {}),
    getItemToken: await getItem(2, { "X-Api-Key": "key" }),
    getItems: await json(shop.shopGetItems([404])),
    count: JSON.parse(await count(0)),
    upload: await upload("sold"),
    download: JSON.parse(await download("none")),
  },
);
