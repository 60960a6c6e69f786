import { expect, test } from "vitest";
import { printCurl } from "../../../tools/test/print-curl.js";

test("prints the caller's headers as variables, after the scheme of a credential", () => {
  const request = {
    verb: "GET",
    path: "/Tokens",
    headers: {},
    body: null,
  } as const;
  const given = ["authorization", "x-tenant"];
  const credentials = [
    {
      name: "Token",
      key: "Authorization",
      place: "header" as const,
      parameter: "Authorization",
      scheme: "Bearer",
      docs: { lines: [], origins: [] },
      error: "Unauthorized",
    },
  ];
  expect(printCurl("http://shop.example/Tokens", request, given, credentials))
    .toBe(String.raw`curl 'http://shop.example/Tokens' \
  -H "authorization: Bearer $RIDL_AUTHORIZATION" \
  -H "x-tenant: $RIDL_X_TENANT"`);
});

test("quotes names of parts in which curl would find a value", () => {
  const body = {
    texts: [["a=b", '@"x\\']],
    files: [{ field: "c=d", path: 'f/"g".txt', type: "a/b" }],
  } as const;
  const request = { verb: "POST", path: "", headers: {}, body } as const;
  expect(printCurl("http://a.example", request, [], []))
    .toBe(String.raw`curl 'http://a.example' \
  -F '="@\"x\\";headers="Content-Disposition: form-data; name=\"a=b\""' \
  -F '=@"f/\"g\".txt";type=a/b;headers="Content-Disposition: form-data; name=\"c=d\"; filename=\"%22g%22.txt\""'`);
});

test("escapes header names that a shell would run", () => {
  const request = { verb: "GET", path: "", headers: {}, body: null } as const;
  expect(printCurl("http://a.example", request, ["x-`id`-$a"], [])).toBe(
    "curl 'http://a.example' \\\n" + '  -H "x-\\`id\\`-\\$a: $RIDL_X__ID___A"',
  );
});
