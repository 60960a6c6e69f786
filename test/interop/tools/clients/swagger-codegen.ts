// Calls the shop with the client that swagger-codegen writes for TypeScript. Its
// code is for bundlers, so it is bundled. It cannot upload.
import { deepStrictEqual } from "node:assert/strict";
import { ShopApi, ShopApiFetchParamCreator } from "../.work/swagger/api";
import { Configuration } from "../.work/swagger/configuration";
import { everything } from "./checks.js";

const address = process.argv[2] ?? "";
const shop = new ShopApi(new Configuration(), address, fetch);
const both = { "X-Api-Key": "key", Authorization: "Bearer token" };
const requests = ShopApiFetchParamCreator();

/** Returns a body. The client declares a Date, but sends what it gets. */
const body = (text: string): any => ({ ...everything, text });
const getItem = (id: number, headers = {}) =>
  shop.shopGetItem({ id }, "at", { headers });

/** The client reads every response as JSON, even a stream or a file. */
const read = ({ options, url }: { options: any; url: string }) =>
  fetch(`${address}${url}`, options).then((answer) => answer.text());
const count = (to: number) => read(requests.shopCount({ to }, "at"));
const download = (title: string) =>
  read(requests.shopDownload({ title }, "at"));

/** The client throws the response of a failed call. */
async function checkError(failed: Promise<unknown>, name: string) {
  const answer: unknown = await failed.catch((error: Response) => error.json());
  deepStrictEqual(Object(answer).error, name);
}

deepStrictEqual(await shop.shopPing("at"), { ok: true });
deepStrictEqual(await shop.shopEcho(body(everything.text), "at"), everything);
deepStrictEqual((await getItem(2, both)).item.parent?.name, "SICP");
const items = await shop.shopGetItems([1, 2]);
deepStrictEqual(
  items.map(({ name }) => name),
  ["SICP", "Alien"],
);
const lines = (await count(3)).split("\n").filter((line) => line !== "");
deepStrictEqual(lines, ['{"n":1}', '{"n":2}', '{"n":3}']);
deepStrictEqual(await download("given"), "content");

await checkError(shop.shopPing("zz"), "WebrpcBadRoute");
await checkError(shop.shopEcho(body("sold"), "at"), "Sold");
await checkError(shop.shopEcho(body("x".repeat(21)), "at"), "InvalidArgument");
await checkError(getItem(404, both), "ItemNotFound");
await checkError(getItem(2), "Unauthorized");
await checkError(getItem(2, { "X-Api-Key": "key" }), "Forbidden");
await checkError(shop.shopGetItems([404]), "ItemNotFound");
deepStrictEqual(JSON.parse(await count(0)).error, "Sold");
deepStrictEqual(JSON.parse(await download("none")).error, "ItemNotFound");
