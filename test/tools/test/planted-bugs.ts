import { expect } from "vitest";
import { failuresOf } from "../../../generator/tools/test/report.js";
import { printText } from "../../../generator/tools/test/print-text.js";
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
