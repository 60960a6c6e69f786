import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { listen, type Listening } from "../support/listen.js";

const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

/** Serves the files of a folder, and `index.html` for its folders. */
export function serveFolder(folder: string): Promise<Listening> {
  return listen(
    createServer((request, response) => {
      const { pathname } = new URL(request.url ?? "", "http://site");
      const path = [pathname, `${pathname}/index.html`]
        .map((each) => join(folder, each))
        .find((each) => existsSync(each) && statSync(each).isFile());
      const type = types[extname(path ?? "")] ?? "";
      response.writeHead(path ? 200 : 404, { "content-type": type });
      response.end(path ? readFileSync(path) : "");
    }),
  );
}
