import { createClient } from "../.work/hey-api/client/index.js";
import * as sdk from "../.work/hey-api/sdk.gen.js";
import { address, check, everything, picture } from "./checks.js";

const path = { country: "at" };

/** Creates a client with the given credentials. */
function clientWith(key: string | undefined, token: string | undefined) {
  return createClient({
    baseUrl: address,
    auth: ({ type }) => (type === "apiKey" ? key : token),
  });
}

const client = clientWith("key", "token");
const echo = (text: string) =>
  sdk.shopEcho({ client, path, body: { ...everything, text } });
const getItem = (id: number, by = client) =>
  sdk.shopGetItem({ client: by, path, body: { id } });
const count = (to: number) =>
  sdk.shopCount({ client, path, body: { to }, parseAs: "text" });
const upload = (title: string) =>
  sdk.shopUpload({ client, path, body: { json: { title }, picture } });
const download = (title: string) =>
  sdk.shopDownload({ client, path, body: { title }, parseAs: "text" });

check(
  {
    ping: (await sdk.shopPing({ client, path })).data,
    echo: (await echo(everything.text)).data,
    getItem: (await getItem(2)).data,
    getItems: (await sdk.shopGetItems({ client, path: { ids: [1, 2] } })).data,
    count: String((await count(3)).data),
    upload: (await upload("a")).data,
    download: String((await download("a")).data),
  },
  {
    ping: (await sdk.shopPing({ client, path: { country: "zz" } })).error,
    echo: (await echo("sold")).error,
    echoLimits: (await echo("x".repeat(21))).error,
    getItem: (await getItem(404)).error,
    getItemKey: (await getItem(2, clientWith(undefined, "token"))).error,
    getItemToken: (await getItem(2, clientWith("key", undefined))).error,
    getItems: (await sdk.shopGetItems({ client, path: { ids: [404] } })).error,
    count: (await count(0)).error,
    upload: (await upload("sold")).error,
    download: (await download("none")).error,
  },
);
