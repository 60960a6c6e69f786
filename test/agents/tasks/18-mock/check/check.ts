import { deepStrictEqual, notStrictEqual, strictEqual } from "node:assert";
import { spawn } from "node:child_process";
import { createShopClient } from "./generated/client.js";

const mock = spawn("ridl", ["mock", "--port", "0", "--overrides", "mocks"]);
try {
  let printed = "";
  mock.stderr.on("data", (data) => process.stderr.write(data));
  for await (const data of mock.stdout) {
    printed += String(data);
    if (/http:\/\/\S+/u.test(printed)) break;
  }
  const [baseUrl = ""] = /http:\/\/[\w.:]+/u.exec(printed) ?? [];
  const shop = createShopClient({ baseUrl });
  const sicp = { isbn: "1", title: "SICP" };
  deepStrictEqual(await shop.listBooks(), {
    books: [sicp, { isbn: "2", title: "K&R" }],
  });
  deepStrictEqual(await shop.getBook({ isbn: "1" }), { book: sicp });
  const missing = await shop.getBook.result({ isbn: "404" });
  strictEqual(missing.ok ? "" : missing.error.name, "BookNotFound");
  notStrictEqual((await shop.getBook({ isbn: "3" })).book.title, "SICP");
  const sold: string[] = [];
  for await (const { isbn } of shop.watchSales()) sold.push(isbn);
  deepStrictEqual(sold, ["1", "2"]);
} finally {
  mock.kill();
}
