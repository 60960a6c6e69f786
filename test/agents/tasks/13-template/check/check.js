import { match, strictEqual } from "node:assert";
import { readFileSync } from "node:fs";

const page = readFileSync("generated/api.md", "utf8");
match(
  page,
  /^Address: `https:\/\/api\.example\.com\/rpc\/Shop\/GetBook`\n+`POST \/rpc\/Shop\/GetBook`$/mu,
);
match(page, /^`GET .*authors/mu);
strictEqual(page.split("Address:").length, 2);
