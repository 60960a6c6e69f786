import { setConfig, type Client } from "../.work/kubb/.kubb/fetch.js";
import * as shop from "../.work/kubb/index.js";
import { address, check, everything, picture } from "./checks.js";

setConfig({ baseURL: address });
// Kubb's client sends JSON without a content type.
const json = { headers: { "Content-Type": "application/json" } };
const withHeaders = (headers: Record<string, string>) => ({
  headers: { ...json.headers, ...headers },
});
const both = { "X-Api-Key": "key", Authorization: "Bearer token" };

// Kubb's client reads every response as JSON, even a file or a stream.
const asText: Client = async ({ data, url }) => {
  const answer = await fetch(`${address}${url}`, {
    method: "POST",
    ...json,
    body: JSON.stringify(data),
  });
  const { headers, status, statusText } = answer;
  return { data: Object(await answer.text()), headers, status, statusText };
};
const text = { client: asText };

const echo = (value: string) =>
  shop.shopEcho("at", { ...everything, text: value }, json);
const getItem = (id: number, headers: Record<string, string>) =>
  shop.shopGetItem("at", { id }, withHeaders(headers));
const count = async (to: number) =>
  String(await shop.shopCount("at", { to }, text));
const upload = (title: string) =>
  shop.shopUpload("at", { json: { title }, picture });
const download = async (title: string) =>
  String(await shop.shopDownload("at", { title }, text));

check(
  {
    ping: await shop.shopPing("at"),
    echo: await echo(everything.text),
    getItem: await getItem(2, both),
    getItems: await shop.shopGetItems([1, 2]),
    count: await count(3),
    upload: await upload("a"),
    download: await download("a"),
  },
  {
    ping: await shop.shopPing("zz"),
    echo: await echo("sold"),
    echoLimits: await echo("x".repeat(21)),
    getItem: await getItem(404, both),
    getItemKey: await getItem(2, {}),
    getItemToken: await getItem(2, { "X-Api-Key": "key" }),
    getItems: await shop.shopGetItems([404]),
    count: JSON.parse(await count(0)),
    upload: await upload("sold"),
    download: JSON.parse(await download("none")),
  },
);
