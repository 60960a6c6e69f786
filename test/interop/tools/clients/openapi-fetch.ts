import createClient from "openapi-fetch";
import type { paths } from "../.work/openapi-typescript.js";
import { address, check, everything, picture } from "./checks.js";

const client = createClient<paths>({ baseUrl: address });
const path = { country: "at" };
const headers = { "X-Api-Key": "key", Authorization: "Bearer token" };

/**
 * Creates a form with the JSON of the other fields first, and then the file.
 */
function toForm(body: { json: unknown; picture: unknown }): FormData {
  const form = new FormData();
  form.append("json", JSON.stringify(body.json));
  form.append("picture", picture);
  return form;
}

const ping = (country: string) =>
  client.POST("/{country}/rpc/Shop/Ping", { params: { path: { country } } });
const echo = (body: Partial<typeof everything>) =>
  client.POST("/{country}/rpc/Shop/Echo", {
    params: { path },
    body: { ...everything, ...body },
  });
const getItem = (id: number, sent: Record<string, string>) =>
  client.POST("/{country}/rpc/Shop/GetItem", {
    params: { path },
    body: { id },
    headers: sent,
  });
const getItems = (ids: number[]) =>
  client.GET("/items/{ids}", { params: { path: { ids } } });
const count = (to: number) =>
  client.POST("/{country}/rpc/Shop/Count", {
    params: { path },
    body: { to },
    parseAs: "text",
  });
const upload = (title: string) =>
  client.POST("/{country}/rpc/Shop/Upload", {
    params: { path },
    body: { json: { title }, picture: "" },
    bodySerializer: toForm,
  });
const download = (title: string) =>
  client.POST("/{country}/rpc/Shop/Download", {
    params: { path },
    body: { title },
    parseAs: "text",
  });

check(
  {
    ping: (await ping("at")).data,
    echo: (await echo({})).data,
    getItem: (await getItem(2, headers)).data,
    getItems: (await getItems([1, 2])).data,
    count: (await count(3)).data ?? "",
    upload: (await upload("a")).data,
    download: (await download("a")).data ?? "",
  },
  {
    ping: (await ping("zz")).error,
    echo: (await echo({ text: "sold" })).error,
    echoLimits: (await echo({ text: "x".repeat(21) })).error,
    getItem: (await getItem(404, headers)).error,
    getItemKey: (await getItem(2, {})).error,
    getItemToken: (await getItem(2, { "X-Api-Key": "key" })).error,
    getItems: (await getItems([1, 404])).error,
    count: (await count(0)).error,
    upload: (await upload("sold")).error,
    download: (await download("none")).error,
  },
);
