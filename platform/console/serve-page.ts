import { existsSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, sep } from "node:path";

import { accepts } from "../http/accepts.js";

/** Media types of the page's files. */
const types: Readonly<Record<string, string | undefined>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
};

/**
 * Allows the page to run only its own scripts and to call only its own server.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Headers of every console response. */
export const pageHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": policy,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** Matches files whose names contain a content hash. */
const hashedName = /[-.][A-Za-z0-9_-]{8,}\.(?:js|css|woff2|png|svg)$/u;

/**
 * Serves the page's files. Returns false for any other request. Paths within
 * the page, such as `/projects/7`, return `index.html`. If a file has a
 * compressed copy and the browser accepts its encoding, sends the copy.
 */
export function answerPage(
  folder: string,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const { method, url = "/" } = request;
  const path = /^[^?#]*/u.exec(url)?.[0] ?? "/";
  if (method !== "GET" && method !== "HEAD") return false;
  if (path.startsWith("/rpc/")) return false;
  const file = findFile(folder, path);
  if (file === null) return false;
  const isHashed = hashedName.test(file);
  const isCompressed =
    accepts(String(request.headers["accept-encoding"] ?? ""), "gzip") &&
    existsSync(`${file}.gz`);
  response.writeHead(200, {
    "cache-control": isHashed
      ? "public, max-age=31536000, immutable"
      : "no-cache",
    "content-type": types[extname(file)] ?? "application/octet-stream",
    vary: "accept-encoding",
    ...(isCompressed && { "content-encoding": "gzip" }),
  });
  const sent = isCompressed ? `${file}.gz` : file;
  response.end(method === "HEAD" ? undefined : readFileSync(sent));
  return true;
}

/**
 * Finds the file for a path, or returns null if there is none. Paths without an
 * extension mean `index.html`.
 */
function findFile(folder: string, path: string): string | null {
  const name = extname(path) === "" ? "index.html" : path;
  const file = join(folder, name);
  const isInside = file.startsWith(join(folder, sep));
  const isKnown = types[extname(file)] !== undefined;
  return isInside && isKnown && existsSync(file) ? file : null;
}
