import { expect } from "vitest";
import { failuresOf } from "../../../tools/test/report.js";
import { printText } from "../../../tools/test/print/print-text.js";
import { type Bug, serve, testShop } from "./shop.js";

/** Changes the JSON of responses. */
function changeResponse(change: (text: string) => string): Bug {
  return {
    wrap: async (request, handle) => {
      const answer = await handle(request);
      const text = change(await answer.text());
      return new Response(text, answer);
    },
  };
}

/** Changes requests before the server receives them. */
function changeRequest(change: (request: Request) => RequestInit): Bug {
  return {
    wrap: async (request, handle) => {
      const hasBody = request.body !== null;
      const body = hasBody ? await request.clone().text() : null;
      const { headers, method, url } = request;
      const kept = { headers, method, body, ...change(request) };
      return handle(new Request(url, kept));
    },
  };
}

/** Rejects valid requests. */
function breakOn(
  isOdd: (request: { body: string; contentType: string }) => boolean,
  status: number,
): Bug {
  const error =
    status === 400 ? ["WebrpcBadRequest", -4] : ["WebrpcInternalError", -7];
  const [name, code] = error;
  return {
    wrap: async (request, handle) => {
      const body = await request.clone().text();
      const contentType = request.headers.get("content-type") ?? "";
      if (!isOdd({ body, contentType })) return handle(request);
      return Response.json({ error: name, code, msg: "", status }, { status });
    },
  };
}

/** Accepts other credentials. */
function acceptKeys(isAccepted: (key: string) => boolean): Bug {
  return changeRequest(({ headers }) => {
    const key = headers.get("x-key");
    return key !== null && isAccepted(key)
      ? { headers: { ...Object.fromEntries(headers), "x-key": "good" } }
      : {};
  });
}

function fail(message: string): never {
  throw new Error(message);
}

function replaceIn(from: string, to: string): Bug {
  return {
    contract: (ridl) => {
      expect(ridl).toContain(from);
      return ridl.replace(from, to);
    },
  };
}

/**
 * The name, the method, the bug, the expected fault, and part of the output.
 */
type PlantedBug = readonly [string, string, Bug, string, string];

/** The bugs in the shop's servers. */
export const bugs: readonly PlantedBug[] = [
  [
    "a maximum off by one",
    "Echo",
    replaceIn("maximum = 100", "maximum = 101"),
    "accepted",
    '"price":101',
  ],
  [
    "a string of any length",
    "Echo",
    replaceIn("maxLength = 20", "example = a"),
    "accepted",
    `"title":"${"a".repeat(21)}"`,
  ],
  [
    "a pattern without its end anchor",
    "GetBook",
    replaceIn("{13}$", "{13}"),
    "accepted",
    '9780262510875\\n"}',
  ],
  [
    "a value that is not in the enum",
    "MyBooks",
    replaceIn("- soft", '- soft\n  - none = "no such value"'),
    "accepted",
    '{"cover":"no such value"}',
  ],
  [
    "a required field that may be missing",
    "Echo",
    replaceIn("- title:", "- title?:"),
    "accepted",
    '"isbn":',
  ],
  [
    "items that may repeat",
    "Echo",
    replaceIn("    + uniqueItems = true\n", ""),
    "accepted",
    '"tags":["',
  ],
  [
    "a response without a required field",
    "GetBook",
    changeResponse((text) => text.replace('"price":64,', "")),
    "invalid-response",
    "price: expected",
  ],
  [
    "a response with a field of a different type",
    "ReadBook",
    changeResponse((text) => text.replace('"price":64', '"price":"64"')),
    "invalid-response",
    "price: expected",
  ],
  [
    "a stream with a wrong item",
    "Watch",
    changeResponse((text) => text.replace('"price":64', '"price":101')),
    "invalid-response",
    "price: expected",
  ],
  [
    "an exception for some valid messages",
    "Echo",
    {
      handlers: {
        echo: (request: { book: { tags: readonly string[] } }) =>
          request.book.tags.length > 1 ? fail("unexpected") : request,
      },
    },
    "undeclared-error",
    "500 WebrpcInternalError",
  ],
  [
    "an error with a different status",
    "GetBook",
    replaceIn('"no such book" HTTP 404', '"no such book" HTTP 400'),
    "wrong-definition",
    "400 BookNotFound, code 1404 (no such book), instead of status 404",
  ],
  [
    "an error with a different code",
    "GetBook",
    replaceIn("error 1404", "error 1405"),
    "wrong-definition",
    "404 BookNotFound, code 1405 (no such book), instead of code 1404",
  ],
  [
    "an error that the method does not declare",
    "AddBook",
    {
      contract: (ridl) => ridl.replace("errors SoldOut", "errors BookNotFound"),
      wrap: (request, handle) =>
        request.url.endsWith("/AddBook") && request.method === "POST"
          ? handle(
              new Request("http://shop.example/books/0000000000000", {
                headers: { "content-type": "application/json" },
              }),
            )
          : handle(request),
    },
    "undeclared-error",
    "404 BookNotFound",
  ],
  [
    "an error with invalid data",
    "AddBook",
    {
      wrap: async (request, handle) => {
        const answer = await handle(request);
        const isAdded = answer.ok && request.url.endsWith("/AddBook");
        if (!isAdded) return answer;
        const sold = { error: "SoldOut", code: 1409, msg: "", status: 409 };
        const data = { left: "3" };
        return Response.json({ ...sold, data }, { status: 409 });
      },
    },
    "invalid-response",
    'where data: left: expected an unsigned 32-bit integer, got "3"',
  ],
  [
    "integers that are rounded",
    "Echo",
    changeResponse((text) => JSON.stringify(JSON.parse(text))),
    "invalid-response",
    "18446744073709551615",
  ],
  [
    "any content type",
    "GetBook",
    changeRequest(({ headers }) => ({
      headers: {
        ...Object.fromEntries(headers),
        "content-type": "application/json",
      },
    })),
    "accepted",
    "content type text/plain",
  ],
  [
    "calls without credentials",
    "MyBooks",
    changeRequest(({ headers }) => ({
      headers: { "x-key": "good", ...Object.fromEntries(headers) },
    })),
    "accepted",
    "no X-Key",
  ],
  [
    "calls with a wrong optional credential",
    "ReadBook",
    changeRequest(({ headers }) => ({
      headers: [...headers].filter(([name]) => name !== "x-key"),
    })),
    "accepted",
    "a wrong X-Key",
  ],
  [
    "any credential",
    "MyBooks",
    changeRequest(({ headers }) =>
      headers.has("x-key")
        ? { headers: { ...Object.fromEntries(headers), "x-key": "good" } }
        : {},
    ),
    "accepted",
    "a wrong X-Key",
  ],
  [
    "other verbs",
    "GetBook",
    changeRequest(({ method }) => (method === "PUT" ? { method: "POST" } : {})),
    "accepted",
    "curl -X PUT",
  ],
  [
    "a rejection without `Allow`",
    "GetBook",
    {
      wrap: async (request, handle) => {
        const answer = await handle(request);
        answer.headers.delete("allow");
        return answer;
      },
    },
    "no-allow",
    ", without the header Allow\n",
  ],
  [
    "bodies that are not JSON",
    "GetBook",
    {
      wrap: async (request, handle) => {
        const text = await request.clone().text();
        const { headers, method, url } = request;
        const body = text.replace(/[^}]$/u, "$&}");
        return method === "POST"
          ? handle(new Request(url, { headers, method, body }))
          : handle(request);
      },
    },
    "accepted",
    "malformed bodies",
  ],
  [
    "a stack trace in a message",
    "GetBook",
    changeResponse((text) =>
      text.replace(
        '"no such book"',
        JSON.stringify(String(new Error("no book").stack)),
      ),
    ),
    "stack-trace",
    ", with a stack trace\n",
  ],
  [
    "errors without an envelope",
    "GetBook",
    {
      wrap: async (request, handle) => {
        const answer = await handle(request);
        return answer.status === 404
          ? new Response("<h1>Not Found</h1>", { status: 404 })
          : answer;
      },
    },
    "no-envelope",
    "Not Found",
  ],
  [
    "a different error for invalid messages",
    "GetBook",
    replaceIn('error 2000 InvalidArgument "invalid argument" HTTP 400\n', ""),
    "wrong-error",
    "400 WebrpcBadRequest",
  ],
  [
    "no answer",
    "Download",
    {
      wrap: (_, handle) =>
        new Promise((_, reject) => {
          void handle;
          reject(new TypeError("fetch failed"));
        }),
    },
    "no-answer",
    "fetch failed",
  ],
  [
    "a stream with a wrong item after valid ones",
    "Watch",
    changeResponse((text) => {
      const [first = ""] = /\{.*/u.exec(text) ?? [];
      return `${text}${first.replace('"price":64', '"price":101')}`;
    }),
    "invalid-response",
    "price: expected",
  ],
  [
    "a stream that fails with an undeclared error",
    "Watch",
    changeResponse(
      (text) =>
        `${text}{"webrpcError":{"error":"Nothing","code":1,"msg":"","status":500}}\n`,
    ),
    "undeclared-error",
    "received: 500 Nothing, code 1",
  ],
  [
    "a stream that fails with something else than an envelope",
    "Watch",
    changeResponse((text) => `${text}{"webrpcError":"failed"}\n`),
    "no-envelope",
    'received: 200 "failed", which is not an error envelope',
  ],
  [
    "a stream that goes on after it failed",
    "Watch",
    changeResponse(
      (text) =>
        `{"webrpcError":{"error":"BookNotFound","code":1404,"msg":"","status":404}}\n${text}`,
    ),
    "invalid-response",
    "which is not the last line",
  ],
  [
    "a failure on U+0000",
    "Echo",
    breakOn(({ body }) => body.includes("\\u0000"), 500),
    "undeclared-error",
    "odd requests: U+0000 in each text",
  ],
  [
    "no unknown fields",
    "GetBook",
    breakOn(({ body }) => body.includes("no such field"), 400),
    "undeclared-error",
    "odd requests: an unknown field `no such field`",
  ],
  [
    "no parameters of the content type",
    "GetBook",
    breakOn(({ contentType }) => contentType.includes("charset"), 400),
    "undeclared-error",
    "odd requests: content type application/json; charset=utf-8",
  ],
  [
    "errors as HTML",
    "GetBook",
    {
      wrap: async (request, handle) => {
        const answer = await handle(request);
        if (!answer.ok) answer.headers.set("content-type", "text/html");
        return answer;
      },
    },
    "content-type",
    ", with content type text/html",
  ],
  [
    "an empty credential",
    "MyBooks",
    acceptKeys((key) => key === ""),
    "accepted",
    "-H 'x-key;'",
  ],
  [
    "the beginning of a credential",
    "MyBooks",
    acceptKeys((key) => key !== "" && "good".startsWith(key)),
    "accepted",
    '-H "x-key: ${RIDL_X_KEY%?}"',
  ],
  [
    "a credential with more characters",
    "MyBooks",
    acceptKeys((key) => key.startsWith("good")),
    "accepted",
    '-H "x-key: ${RIDL_X_KEY}x"',
  ],
  [
    "paths in any case",
    "GetBook",
    {
      wrap: (request, handle) => {
        const isSame = /\/rpc\/shop\/getbook$/iu.test(request.url);
        const url = isSame
          ? "http://shop.example/rpc/Shop/GetBook"
          : request.url;
        return handle(new Request(url, request));
      },
    },
    "accepted",
    "routes and verbs: a method in a different case",
  ],
];

/** Expects `ridl test` to find a server's bug. */
export async function expectFound([
  ,
  name,
  bug,
  fault,
  text,
]: PlantedBug): Promise<void> {
  const report = await testShop(await serve(bug), `Shop.${name}`);
  const kinds = failuresOf(report).map(([, { kind }]) => kind);
  expect(kinds).toContain(fault);
  expect(printText(report)).toContain(text);
}
