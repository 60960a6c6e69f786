import { expect, test } from "vitest";
import { createExplorerData } from "../../generator/4-emit/docs/create-data.js";
import {
  createForm,
  fieldsToJson,
} from "../../apps/explorer/calls/draft-json.js";
import { printFlat } from "../../apps/explorer/calls/json-text.js";
import { createModel, type Model } from "../../apps/explorer/calls/model.js";
import {
  fillInValues,
  type PageValues,
  readValues,
} from "../../apps/explorer/calls/page-values.js";
import { createExplorerValues } from "../../platform/demo/explorer-values.js";
import {
  entryOf,
  goldenModel,
  modelOf,
  platformCase,
} from "./sample-models.js";

/** Returns the initial message of a form. */
function firstMessage(model: Model, id: string, values: PageValues): string {
  const { method } = entryOf(model, id);
  const drafts = createForm(model, method.request);
  fillInValues(model, drafts, values, id);
  return printFlat(fieldsToJson(model, drafts));
}

test("a new form contains valid values in required fields only", () => {
  const rooms = goldenModel("explorer");
  const values = readValues(
    '{"fields":{"room":"attic","id":18446744073709551615,"text":7,"mood":"sad","level":"HIGH"},"requests":{"Rooms.Find":{"names":["a","b"]}}}',
  );
  expect(firstMessage(rooms, "Rooms.Say", values)).toBe(
    '{"room":"attic","message":{"id":18446744073709551615,"text":"amber","parent":null},"urgency":"LOW","at":"2026-01-31T12:00:00Z","data":"AA==","counts":{"LOW":[1]}}',
  );
  expect(firstMessage(rooms, "Rooms.Find", values)).toBe(
    '{"names":["a","b"],"level":"HIGH"}',
  );
  const none = readValues("nothing");
  expect(firstMessage(rooms, "Rooms.Find", none)).toBe(
    '{"names":["lobby","flc-ohibesdbs"],"level":"LOW"}',
  );
});

test("empty strings leave optional fields of a new form empty", () => {
  const notes = modelOf(
    "service Notes\n  - Add(text: string, author?: string, room?: string)\n",
  );
  const { request } = entryOf(notes, "Notes.Add").method;
  const example = '{"text":"a","author":"","room":"attic"}';
  const drafts = createForm(notes, { ...request, example });
  const message = () => printFlat(fieldsToJson(notes, drafts));
  expect(message()).toBe('{"text":"a","room":"attic"}');
  const values = readValues('{"requests":{"Notes.Add":{"room":""}}}');
  fillInValues(notes, drafts, values, "Notes.Add");
  expect(message()).toBe('{"text":"a"}');
});

test("every value of the platform is used in a form", () => {
  const { contract, options } = platformCase();
  const model = createModel(createExplorerData(contract, options, {}));
  const address = (digit: string) => `0x${digit.repeat(40)}` as const;
  const fixtures = {
    collectible: address("a"),
    dollar: address("b"),
    listing: `0x${"c".repeat(64)}`,
    user: address("d"),
    wallet: address("e"),
    wrappedNative: address("f"),
  } as const;
  const given = createExplorerValues(
    { defaultNetwork: "hardhat", embeddedChain: null },
    { id: 4711 },
    { chainId: 31337, fixtures },
  );
  const values = readValues(JSON.stringify(given));
  const messages = model.entries
    .filter(({ service }) => !service.isOutbound)
    .map(({ id }) => firstMessage(model, id, values))
    .join("\n");
  const unused = Object.entries(given.fields ?? {}).filter(
    ([name, value]) => !messages.includes(`"${name}":${JSON.stringify(value)}`),
  );
  expect(unused).toEqual([]);
  for (const [id, request] of Object.entries(given.requests ?? {})) {
    const message: unknown = JSON.parse(firstMessage(model, id, values));
    expect(message).toMatchObject(request);
  }
});

test("an error whose status handlers choose has no status of its own", () => {
  const orders = goldenModel("error-bodies");
  expect(orders.error("OrderFailed")).toMatchObject({ status: "any" });
  expect(orders.error("SoldOut")).toMatchObject({ status: 409 });
});
