import { deepStrictEqual, match, strictEqual } from "node:assert";
import { readFileSync } from "node:fs";

const data = JSON.parse(readFileSync("generated/openapi.json", "utf8"));
match(data.openapi, /^3\.0\.\d$/u);
const { info, paths, servers, webhooks } = data;
deepStrictEqual(
  [info.title, info.contact.name, info.contact.email, info.license.name],
  ["Acme Shop", "API team", "api@example.com", "Apache-2.0"],
);
strictEqual(servers[0].url, "https://shop.example.com");
deepStrictEqual(Object.keys(paths), ["/rpc/Shop/GetBook"]);
strictEqual(webhooks, undefined);
