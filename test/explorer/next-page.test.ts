import { expect, it } from "vitest";
import { nextRequest } from "../../apps/explorer/calls/next-page.js";
import {
  type JsonNode,
  parseJson,
  printFlat,
} from "../../apps/explorer/calls/json-text.js";
import type { PagingData } from "../../generator/4-emit/docs/explorer-data.js";
import { goldenModel } from "./sample-models.js";

function node(text: string): JsonNode {
  const parsed = parseJson(text);
  return parsed.isValid ? parsed.node : expect.unreachable(parsed.problem);
}

const model = goldenModel("pages");

function pagingOf(method: string): PagingData {
  const { paging } = model.find(`Shop.${method}`)?.method ?? {};
  return paging ?? expect.unreachable(`${method} has no pages`);
}

it.each([
  [
    "ListNotes",
    '{"cursor":"a","owner":"ann"}',
    '{"notes":[],"nextCursor":"b"}',
    '{"owner":"ann","cursor":"b"}',
  ],
  ["ListNotes", '{"owner":"ann"}', '{"notes":[],"nextCursor":""}', null],
  ["ListNotes", '{"owner":"ann"}', '{"notes":[],"nextCursor":null}', null],
  ["ListNotes", '{"owner":"ann"}', "[]", null],
  [
    "ListParts",
    '{"part":{"size":5}}',
    '{"orders":[],"next":"x"}',
    '{"part":{"size":5,"after":"x"}}',
  ],
  [
    "ListOrders",
    '{"page":{"pageSize":2}}',
    '{"orders":[{"id":18446744073709551615}],"page":{"page":1,"more":true}}',
    '{"page":{"pageSize":2,"page":2}}',
  ],
  ["ListOrders", "{}", '{"page":{"more":true}}', '{"page":{"page":2}}'],
  [
    "ListOrders",
    '{"page":{"page":4}}',
    '{"page":{"more":true}}',
    '{"page":{"page":5}}',
  ],
  ["ListOrders", "{}", '{"page":{"page":3,"more":false}}', null],
  ["ListOrders", "{}", '{"page":null}', null],
  [
    "ListNumbered",
    '{"per_page":5}',
    '{"notes":[],"link":"<https://a/numbered?per_page=5&page=2>; rel=\\"next\\""}',
    '{"per_page":5,"page":2}',
  ],
  ["ListNumbered", "{}", '{"link":"<?page=x>; rel=\\"next\\""}', null],
  ["ListNumbered", "{}", '{"link":"<?page=1>; rel=\\"prev\\""}', null],
  [
    "ListLinked",
    "{}",
    '{"links":"<?after=a%20b>; rel=next"}',
    '{"start":"a b"}',
  ],
  ["ListLinked", "{}", '{"links":"<?page=2>; rel=next"}', null],
])("finds the page after one of %s(%s)", (method, request, response, next) => {
  const found = nextRequest(pagingOf(method), node(request), node(response));
  expect(found && printFlat(found)).toBe(next);
});

it("knows which methods return pages", () => {
  const paged = model.entries.filter(({ method }) => method.paging);
  expect(paged.map(({ id }) => id)).toEqual([
    "Shop.ListOrders",
    "Shop.ListNotes",
    "Shop.ListParts",
    "Shop.ListHeld",
    "Shop.ListAll",
    "Shop.ListBoth",
    "Shop.ListNumbered",
    "Shop.ListLinked",
  ]);
});
