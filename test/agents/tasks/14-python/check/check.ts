import { execFile } from "node:child_process";
import { deepStrictEqual } from "node:assert";
import { once } from "node:events";
import { createServer } from "node:http";
import { promisify } from "node:util";
import { toNodeHandler } from "@ridlkit/runtime/node";
import { BookNotFoundError } from "./generated/errors.js";
import { createShopServer } from "./generated/server.js";

const server = createShopServer({
  verifyToken: (token) => token === "token-of-ada",
  handlers: {
    shop: {
      getBook({ isbn }) {
        if (isbn === "0") throw new BookNotFoundError();
        return { book: { isbn, title: `Book ${isbn}` } };
      },
    },
  },
});
const http = createServer(toNodeHandler(server)).listen(0);
await once(http, "listening");
const { port } = Object(http.address());
const program = `import json, sys
sys.path.insert(0, "generated/python")
from titles import find_titles
url = "http://localhost:${port}"
print(json.dumps(find_titles(url, "token-of-ada", ["1", "0", "2"])))
try:
    find_titles(url, "other", ["1"])
except Exception as error:
    print(json.dumps(getattr(error, "status", None)))
`;
const python = process.env["PYTHON"] ?? "python3";
const { stdout } = await promisify(execFile)(python, ["-c", program]);
deepStrictEqual(
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line)),
  [["Book 1", null, "Book 2"], 401],
);
http.closeAllConnections();
http.close();
