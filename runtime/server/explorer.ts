import { WebrpcBadMethodError } from "../wire/errors.js";
import { toFetch } from "./fetch.js";
import { unknownRoute } from "./responses/failed-answer.js";
import { etagOf, isKnown } from "./responses/conditional-read.js";
import type {
  RpcServer,
  ServerRequest,
  ServerResponse,
} from "./model/exchange.js";
import { stringifyJson } from "../wire/json.js";
import { errorResponse } from "./responses/response.js";
import { pathOf } from "./model/route.js";

/** Texts of the files that the target `docs` writes, by their names. */
export interface ExplorerFiles {
  readonly "index.html": string;
  readonly "explorer.css": string;
  readonly "explorer.js": string;
  /** What the page links for download, e.g. `openapi.yaml`. */
  readonly [name: string]: string;
}

/** What gives one of them, e.g. from a disk. */
export type ReadExplorerFile = (name: string) => string;

/** Values that exist on the server, as they are on the wire. */
export interface ExplorerValues {
  /** Requests, or parts of them, by method: `{ "Shop.GetBook": { isbn: "1" } }`. */
  readonly requests?: Readonly<Record<string, object>>;
  /** Values of fields of all requests, by name: `{ isbn: "1" }`. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Where the explorer is, and what its forms start with. */
export interface ExplorerOptions {
  /** A folder, with slashes around it, e.g. `/docs/`; `/` unless given. */
  readonly path?: string;
  /**
   * What forms start with in place of the examples of the schema. A function is
   * called for each visitor. Everybody can read it, so it must hold no secrets.
   */
  readonly values?:
    ExplorerValues | (() => ExplorerValues | Promise<ExplorerValues>);
}

/** A file, and how it is served. */
type Served = readonly [name: string, type: string];

const page: Served = ["index.html", "text/html"];
const assets: readonly Served[] = [
  ["explorer.css", "text/css"],
  ["explorer.js", "text/javascript"],
];

/**
 * What the page may do: run its own script, and call the addresses that its
 * user enters. Nothing is loaded from elsewhere, and nobody may frame it.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src data:",
  "connect-src http: https:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * Serves the explorer beside generated servers, for `composeServers`.
 *
 * Input: the texts of its files, or what reads them, once each and at once.
 * Errors: TypeError when the path is no folder.
 */
export function createExplorerServer(
  files: ExplorerFiles | ReadExplorerFile,
  { path = "/", values }: ExplorerOptions = {},
): RpcServer {
  if (!/^\/(?:[^?#]*\/)?$/u.test(path)) {
    throw new TypeError("explorer option path must be like /docs/");
  }
  const texts = typeof files === "function" ? readFiles(files) : files;
  const find = (target: string): Served | undefined => {
    const asked = pathOf(target);
    if (asked === path) return page;
    if (!asked.startsWith(path)) return undefined;
    const name = asked.slice(path.length);
    return (
      assets.find(([asset]) => asset === name) ??
      // Whatever is no file name is a call, for which no page is searched.
      (/^[^/]+\.[a-z]+$/u.test(name)
        ? downloadsOf(texts["index.html"]).get(name)
        : undefined)
    );
  };
  const handle = async (request: ServerRequest): Promise<ServerResponse> => {
    const served = find(request.target);
    if (served === undefined) return errorResponse(unknownRoute(request));
    if (request.method === "GET" || request.method === "HEAD") {
      const [name, type] = served;
      const text = texts[name] ?? "";
      const filled = served === page ? await fillIn(text, values) : text;
      return answerFile(request, `${type}; charset=utf-8`, filled);
    }
    const asked = pathOf(request.target);
    const cause = `${asked} answers to GET, not to ${request.method}`;
    return errorResponse(new WebrpcBadMethodError({ cause }), {
      allow: "GET, HEAD",
    });
  };
  const matches = (target: string): boolean => find(target) !== undefined;
  return { fetch: toFetch(handle), handle, matches };
}

function readFiles(read: ReadExplorerFile): ExplorerFiles {
  const html = read("index.html");
  const downloads = [...downloadsOf(html).values()];
  return {
    ...Object.fromEntries(downloads.map(([name]) => [name, read(name)])),
    "index.html": html,
    "explorer.css": read("explorer.css"),
    "explorer.js": read("explorer.js"),
  };
}

/** What the page links for download, by the last segment of its path. */
function downloadsOf(html: string): ReadonlyMap<string, Served> {
  const links = html.matchAll(
    /^<link rel="alternate" type="([^"]*)" href="([^"/]*)"/gmu,
  );
  return new Map(
    Array.from(links, ([, type = "", href = ""]) => [
      href,
      [decodeURIComponent(href), type],
    ]),
  );
}

/** Puts values into the page as data; nothing in them can end it. */
async function fillIn(
  html: string,
  values: ExplorerOptions["values"],
): Promise<string> {
  const given = typeof values === "function" ? await values() : values;
  if (given === undefined) return html;
  const json = stringifyJson(given).replaceAll("<", "\\u003c");
  const script = `<script type="application/json" id="values">${json}</script>\n`;
  const end = html.lastIndexOf("</body>");
  return html.slice(0, end) + script + html.slice(end);
}

async function answerFile(
  request: ServerRequest,
  type: string,
  text: string,
): Promise<ServerResponse> {
  const headers = {
    etag: await etagOf(text),
    "cache-control": "no-cache",
    "content-security-policy": policy,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  };
  if (isKnown(request.header("if-none-match"), headers.etag)) {
    return { status: 304, headers, body: "" };
  }
  const body = request.method === "HEAD" ? "" : text;
  return { status: 200, headers: { ...headers, "content-type": type }, body };
}
