/** A server of the only API that exists. */
export interface Server {
  fetch(request: Request): Promise<Response> | Response;
}

export interface Cookie {
  readonly value: string;
  readonly path: string;
  /** Its other attributes, in lower case. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** Emulates how browsers send requests of pages. */
export class Browser {
  /** The cookies for the API, by name. */
  readonly cookies = new Map<string, Cookie>();
  readonly #server: Server;

  constructor(server: Server) {
    this.#server = server;
  }

  /** Returns the `fetch` of a page with this origin. */
  open(origin: string): typeof globalThis.fetch {
    return async (input, init) => {
      const request = new Request(input, init);
      const url = new URL(request.url);
      const isCredentialed =
        request.credentials === "include" ||
        (request.credentials === "same-origin" && url.origin === origin);
      const read = (response: Response): Response => {
        if (url.origin === origin) return response;
        const { headers } = response;
        const allowed = headers.get("access-control-allow-origin");
        const isAllowed = isCredentialed
          ? allowed === origin &&
            headers.get("access-control-allow-credentials") === "true"
          : allowed === origin || allowed === "*";
        if (!isAllowed) throw new TypeError("Failed to fetch");
        return response;
      };
      if (url.origin !== origin) await this.#ask(request, origin, read);
      const headers = new Headers(request.headers);
      headers.set("origin", origin);
      const cookies = isCredentialed ? this.#cookiesFor(url, origin) : "";
      if (cookies !== "") headers.set("cookie", cookies);
      const body = await request.arrayBuffer();
      const response = await this.#server.fetch(
        new Request(url, {
          method: request.method,
          headers,
          ...(body.byteLength > 0 && { body }),
        }),
      );
      if (isCredentialed) this.#store(response, url);
      return read(response);
    };
  }

  /** Asks the server before a request that a form could not send. */
  async #ask(
    { headers, method, url }: Request,
    origin: string,
    read: (response: Response) => Response,
  ): Promise<void> {
    const names = [...headers.keys()].filter(
      (name) =>
        !["accept", "accept-language", "content-language"].includes(name) &&
        !(
          name === "content-type" &&
          /^(text\/plain|multipart\/form-data|application\/x-www-form-urlencoded)/u.test(
            headers.get(name) ?? "",
          )
        ),
    );
    const isSimple = ["GET", "HEAD", "POST"].includes(method);
    if (isSimple && names.length === 0) return;
    const answer = read(
      await this.#server.fetch(
        new Request(url, {
          method: "OPTIONS",
          headers: {
            origin,
            "access-control-request-method": method,
            "access-control-request-headers": names.join(","),
          },
        }),
      ),
    );
    const listed = (name: string): string[] =>
      (answer.headers.get(`access-control-allow-${name}`) ?? "")
        .toLowerCase()
        .split(/\s*,\s*/u);
    if (
      !answer.ok ||
      !(isSimple || listed("methods").includes(method.toLowerCase())) ||
      !names.every((name) => listed("headers").includes(name))
    ) {
      throw new TypeError("Failed to fetch");
    }
  }

  #cookiesFor(url: URL, origin: string): string {
    const siteOf = (host: string): string =>
      host.split(".").slice(-2).join(".");
    const isSameSite =
      siteOf(url.hostname) === siteOf(new URL(origin).hostname);
    return [...this.cookies]
      .filter(
        ([, { attributes, path }]) =>
          `${url.pathname}/`.startsWith(path.replace(/\/?$/u, "/")) &&
          (isSameSite || attributes.get("samesite") === "none"),
      )
      .map(([name, { value }]) => `${name}=${value}`)
      .join("; ");
  }

  #store({ headers }: Response, { pathname }: URL): void {
    for (const line of headers.getSetCookie()) {
      const [pair = "", ...rest] = line.split(/\s*;\s*/u);
      const [name = "", value = ""] = pair.split("=");
      const attributes = new Map(
        rest.map((each): [string, string] => {
          const [key = "", text = ""] = each.split("=");
          return [key.toLowerCase(), text.toLowerCase()];
        }),
      );
      const isUnsafe =
        attributes.get("samesite") === "none" && !attributes.has("secure");
      if (isUnsafe) continue;
      const path =
        attributes.get("path") ?? pathname.slice(0, pathname.lastIndexOf("/"));
      this.cookies.set(name, { value, path, attributes });
    }
  }
}
