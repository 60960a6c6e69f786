import { expect, test } from "vitest";
import { compileContract } from "../../generator/compile.js";
import { pagingOf } from "../../generator/http/method-paging.js";
import { importOpenapi } from "../../tools/import/import-openapi.js";

interface Operation {
  /** The names of the parameters in the query. */
  readonly query: readonly string[];
  /** The properties of the response. */
  readonly members?: readonly string[];
  readonly headers?: readonly string[];
}

const text = { schema: { type: "string" } };

/** Returns the names of the token and of the next one in each operation. */
function pagesOf(operations: Readonly<Record<string, Operation>>) {
  const paths = Object.entries(operations).map(
    ([name, { headers = [], members, query }]) => [
      `/${name}`,
      {
        get: {
          operationId: name,
          parameters: query.map((each) => ({
            name: each,
            in: "query",
            ...text,
          })),
          responses: {
            200: {
              description: "OK",
              headers: Object.fromEntries(headers.map((each) => [each, text])),
              content: {
                "application/json": {
                  schema:
                    members === undefined
                      ? { type: "array", items: { type: "string" } }
                      : {
                          type: "object",
                          properties: Object.fromEntries([
                            [
                              "titles",
                              { type: "array", items: { type: "string" } },
                            ],
                            ...members.map((each) => [
                              each,
                              { type: ["string", "null"] },
                            ]),
                          ]),
                        },
                },
              },
            },
          },
        },
      },
    ],
  );
  const document = JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Pages", version: "1.0.0" },
    paths: Object.fromEntries(paths),
  });
  const { documents } = importOpenapi(
    "a.json",
    () => ({ text: document }),
    "a",
  );
  const read = (path: string) => documents?.get(path) ?? null;
  const { value } = compileContract(["a.ridl"], { read });
  const options = { int64: "number", timestamp: "string" } as const;
  const methods = (value?.hosts ?? [])
    .flatMap(({ services }) => services)
    .flatMap((service) => service.methods);
  return {
    ridl: read("a.ridl") ?? "",
    pages: Object.fromEntries(
      methods.map((method) => {
        const paging = value && pagingOf(value, options, method);
        const names = paging && [paging.asked, paging.answered];
        return [
          method.name,
          names?.map(({ jsonName }) => jsonName).join(" ") ?? null,
        ];
      }),
    ),
  };
}

test("methods whose document names a next token return pages", () => {
  const { pages, ridl } = pagesOf({
    same: { query: ["cursor"], members: ["nextCursor"] },
    snake: { query: ["page_token"], members: ["nextPageToken"] },
    camel: { query: ["pageToken"], members: ["next_page_token"] },
    kebab: { query: ["page-token"], members: ["next_page_token"] },
    kebabBody: { query: ["page_token"], members: ["next-page-token"] },
    cased: { query: ["Cursor"], members: ["nextCursor"] },
    header: { query: ["cursor"], headers: ["X-Next-Cursor"] },
    plainHeader: { query: ["page_token"], headers: ["Next-Page-Token"] },
    both: {
      query: ["page-token"],
      headers: ["x-next-page-token"],
      members: [],
    },
  });
  expect(pages).toEqual({
    Same: "cursor nextCursor",
    Snake: "pageToken nextPageToken",
    Camel: "page_token next_page_token",
    Kebab: "page_token next_page_token",
    KebabBody: "page_token next-page-token",
    Cased: "cursor nextCursor",
    Header: "cursor nextCursor",
    PlainHeader: "page_token next_page_token",
    Both: "pageToken nextPageToken",
  });
  expect(ridl).toContain(`"/snake?page_token={pageToken}"`);
  expect(ridl).toContain(`"X-Next-Cursor={nextCursor}"`);
});

test("other names stay", () => {
  const { pages, ridl } = pagesOf({
    taken: { query: ["page_token", "pageToken"], members: ["nextPageToken"] },
    other: { query: ["page-token"], members: ["nextCursor"] },
    odd: {
      query: ["__proto__", "a"],
      members: ["next__proto__", "nextConstructor"],
    },
    builtIn: { query: ["to-string"], members: ["nextToString"] },
    prefix: { query: ["to"], headers: ["Next"], members: ["nextto", "next_"] },
  });
  expect(pages).toEqual({
    Taken: "pageToken nextPageToken",
    Other: null,
    Odd: null,
    BuiltIn: null,
    Prefix: null,
  });
  expect(ridl).toContain(`"/taken?page_token&pageToken"`);
});
