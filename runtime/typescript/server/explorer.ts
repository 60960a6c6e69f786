import { WebrpcBadMethodError } from "../wire/errors.js";
import { toFetch } from "./fetch.js";
import { answerOf, report, unknownRoute } from "./responses/failed-answer.js";
import { createTagger, isKnown } from "./responses/conditional-read.js";
import type {
  RpcServer,
  ServerRequest,
  ServerResponse,
} from "./model/exchange.js";
import { stringifyJson } from "../wire/json.js";
import { errorResponse } from "./responses/response.js";
import { pathOf } from "./model/route.js";

/** Contents of the files that the `docs` target generates, by name. */
export interface ExplorerFiles {
  readonly "index.html": string;
  readonly "explorer.css": string;
  readonly "explorer.js": string;
  /** Files that the page offers for download, e.g. `openapi.yaml`. */
  readonly [name: string]: string;
}

/** Returns the contents of a file, e.g. by reading it from disk. */
export type ReadExplorerFile = (name: string) => string;

/** Actual values on the server, in their JSON form. */
export interface ExplorerValues {
  /**
   * Requests, or parts of them, by method: `{ "Shop.GetBook": { isbn: "1" } }`.
   */
  readonly requests?: Readonly<Record<string, object>>;
  /** Values of fields in all requests, by name: `{ isbn: "1" }`. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Options for {@link createExplorerServer}. */
export interface ExplorerOptions {
  /** A path with leading and trailing slashes, e.g. `/docs/`. Default: `/`. */
  readonly path?: string;
  /**
   * Values for forms, instead of the examples in the schema. A function is
   * called each time the page is requested. Every visitor can read the values,
   * so do not include secrets.
   */
  readonly values?:
    ExplorerValues | (() => ExplorerValues | Promise<ExplorerValues>);
}

/** A file in the form in which it is served. */
type Served = readonly [type: string, text: string];

/**
 * The content security policy of the page. The page can load its own script and
 * styles, show images from `data:` URLs, and call any HTTP address. It cannot
 * load anything else, and it cannot be framed.
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
 * Creates a server for the explorer. Use `composeServers` to combine it with
 * generated servers.
 *
 * Input: the contents of the explorer's files, or a function that is called
 * once for each file.
 * Errors: TypeError if `path` is not a path with leading and trailing slashes.
 */
export function createExplorerServer(
  files: ExplorerFiles | ReadExplorerFile,
  { path = "/", values }: ExplorerOptions = {},
): RpcServer {
  if (!/^\/(?:[^?#]*\/)?$/u.test(path)) {
    throw new TypeError("explorer option path must be like /docs/");
  }
  const served = readFiles(files);
  const find = (target: string): Served | undefined => {
    const asked = pathOf(target);
    return asked.startsWith(path)
      ? served.get(asked.slice(path.length))
      : undefined;
  };
  const page = served.get("");
  const tagOf = createTagger();
  const answer = async (request: ServerRequest): Promise<ServerResponse> => {
    const file = find(request.target);
    if (file === undefined) return errorResponse(unknownRoute(request));
    if (request.method === "GET" || request.method === "HEAD") {
      const [type, text] = file;
      const filled = file === page ? await fillIn(text, values) : text;
      const etag = await tagOf(filled);
      return answerFile(request, `${type}; charset=utf-8`, filled, etag);
    }
    const cause = `${pathOf(request.target)} accepts GET, not ${request.method}`;
    return errorResponse(new WebrpcBadMethodError({ cause }), {
      allow: "GET, HEAD",
    });
  };
  const handle = (request: ServerRequest): Promise<ServerResponse> =>
    answer(request).catch((error: unknown) => {
      report({}, { service: "Explorer", name: "values" }, request, error);
      return answerOf(error).response;
    });
  const matches = (target: string): boolean => find(target) !== undefined;
  return { fetch: toFetch(handle), handle, matches };
}

/**
 * Returns the files by their path relative to the explorer's path. Downloads
 * are the files that the page links to.
 */
function readFiles(
  files: ExplorerFiles | ReadExplorerFile,
): ReadonlyMap<string, Served> {
  const read = (name: string): string =>
    typeof files === "function" ? files(name) : (files[name] ?? "");
  const html = read("index.html");
  const links = html.matchAll(
    /^<link rel="alternate" type="([^"]*)" href="([^"/]*)"/gmu,
  );
  return new Map<string, Served>([
    ...Array.from(links, ([, type = "", href = ""]): [string, Served] => [
      href,
      [type, read(decodeURIComponent(href))],
    ]),
    ["", ["text/html", html]],
    ["explorer.css", ["text/css", read("explorer.css")]],
    ["explorer.js", ["text/javascript", read("explorer.js")]],
  ]);
}

/**
 * Puts values into the page as data. Their content cannot end the script
 * element.
 */
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

function answerFile(
  request: ServerRequest,
  type: string,
  text: string,
  etag: string,
): ServerResponse {
  const headers = {
    etag,
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
