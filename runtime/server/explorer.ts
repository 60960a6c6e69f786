import { WebrpcBadMethodError } from "../wire/errors.js";
import { toFetch } from "./fetch.js";
import { unknownRoute } from "./responses/failed-answer.js";
import { etagOf, isKnown } from "./responses/conditional-read.js";
import type {
  RpcServer,
  ServerRequest,
  ServerResponse,
} from "./model/exchange.js";
import { errorResponse } from "./responses/response.js";
import { pathOf } from "./model/route.js";

/** Texts of the three files that the target `docs` writes, by their names. */
export interface ExplorerFiles {
  readonly "index.html": string;
  readonly "explorer.css": string;
  readonly "explorer.js": string;
}

/** What gives one of them, e.g. from a disk. */
export type ReadExplorerFile = (name: keyof ExplorerFiles) => string;

/** Where the explorer is. */
export interface ExplorerOptions {
  /** A folder, with slashes around it, e.g. `/docs/`; `/` unless given. */
  readonly path?: string;
}

const types: Readonly<Record<keyof ExplorerFiles, string>> =
  /* @__PURE__ */ Object.freeze({
    "index.html": "text/html; charset=utf-8",
    "explorer.css": "text/css; charset=utf-8",
    "explorer.js": "text/javascript; charset=utf-8",
  });

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
  { path = "/" }: ExplorerOptions = {},
): RpcServer {
  if (!/^\/(?:[^?#]*\/)?$/u.test(path)) {
    throw new TypeError("explorer option path must be like /docs/");
  }
  const texts = typeof files === "function" ? readFiles(files) : files;
  const names = new Map<string, keyof ExplorerFiles>([
    [path, "index.html"],
    [`${path}explorer.css`, "explorer.css"],
    [`${path}explorer.js`, "explorer.js"],
  ]);
  const handle = async (request: ServerRequest): Promise<ServerResponse> => {
    const asked = pathOf(request.target);
    const name = names.get(asked);
    if (name === undefined) return errorResponse(unknownRoute(request));
    if (request.method === "GET" || request.method === "HEAD") {
      return answerFile(request, types[name], texts[name]);
    }
    const cause = `${asked} answers to GET, not to ${request.method}`;
    return errorResponse(new WebrpcBadMethodError({ cause }), {
      allow: "GET, HEAD",
    });
  };
  const matches = (target: string): boolean => names.has(pathOf(target));
  return { fetch: toFetch(handle), handle, matches };
}

function readFiles(read: ReadExplorerFile): ExplorerFiles {
  return {
    "index.html": read("index.html"),
    "explorer.css": read("explorer.css"),
    "explorer.js": read("explorer.js"),
  };
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
