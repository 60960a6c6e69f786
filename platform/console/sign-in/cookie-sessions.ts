import { AsyncLocalStorage } from "node:async_hooks";

import { toFetch } from "@ridlkit/runtime/fetch";
import {
  changeRequest,
  type RpcServer,
  type ServerRequest,
} from "@ridlkit/runtime/server";

const cookieName = "console_session";

/**
 * Returns the name of the cookie. With TLS, its prefix makes browsers refuse
 * cookies that other hosts of the domain set.
 */
function nameOf(isSecure: boolean): string {
  return isSecure ? `__Host-${cookieName}` : cookieName;
}

/** Returns whether a page that was loaded through TLS sent a request. */
function isSecureRequest(request: ServerRequest): boolean {
  return request.header("origin")?.startsWith("https:") ?? false;
}

/** Sets and removes the session cookie of the current request. */
export interface CookieSessions {
  /** Sets the cookie, or removes it if the secret is null. */
  set(secret: string | null, expiresAt: Date | null): void;
  /** Wraps a server so that it also accepts sessions from cookies. */
  serve(server: RpcServer): RpcServer;
}

/** The state of the cookie while a request is handled. */
interface CookieBox {
  readonly isSecure: boolean;
  header: string | null;
}

/**
 * Keeps browser sessions in a cookie that scripts cannot read. Cookies are
 * ignored in requests from pages of other origins.
 */
export function createCookieSessions(): CookieSessions {
  const boxes = new AsyncLocalStorage<CookieBox>();
  return {
    set: (secret, expiresAt) => {
      const box = boxes.getStore();
      if (box === undefined) return;
      const expires = (expiresAt ?? new Date(0)).toUTCString();
      box.header = [
        `${nameOf(box.isSecure)}=${secret ?? ""}`,
        `Expires=${expires}`,
        "Path=/; HttpOnly; SameSite=Strict",
        ...(box.isSecure ? ["Secure"] : []),
      ].join("; ");
    },
    serve: (server) => {
      const handle: RpcServer["handle"] = async (request) => {
        const isSecure = isSecureRequest(request);
        const box: CookieBox = { isSecure, header: null };
        const answer = await boxes.run(box, () =>
          server.handle(withBearer(request)),
        );
        const { header } = box;
        if (header === null) return answer;
        return {
          ...answer,
          headers: { ...answer.headers, "set-cookie": header },
        };
      };
      return { ...server, handle, fetch: toFetch(handle) };
    },
  };
}

/**
 * Returns whether a page from another origin sent a request, according to the
 * headers that browsers set. Other programs do not send them.
 */
export function isForeign(header: ServerRequest["header"]): boolean {
  const site = header("sec-fetch-site");
  if (site === "cross-site" || site === "same-site") return true;
  const origin = header("origin");
  if (origin === null) return false;
  const host = header("host");
  return !URL.canParse(origin) || new URL(origin).host !== host;
}

/**
 * Returns the request with the session from its cookie as its credential,
 * unless it already has an `Authorization` header.
 */
function withBearer(request: ServerRequest): ServerRequest {
  const header: ServerRequest["header"] = (name) =>
    request.header(name) ??
    (name.toLowerCase() === "authorization" ? bearerOf(request) : null);
  return changeRequest(request, { header });
}

function bearerOf(request: ServerRequest): string | null {
  if (isForeign((name) => request.header(name))) return null;
  const cookies = (request.header("cookie") ?? "").split(";");
  const start = `${nameOf(isSecureRequest(request))}=`;
  const own = cookies
    .map((each) => each.trim())
    .find((each) => each.startsWith(start));
  const secret = own?.slice(start.length) ?? "";
  return secret === "" ? null : `Bearer ${secret}`;
}
