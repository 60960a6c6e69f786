import { expect, test } from "vitest";
import { adviceFor } from "../../apps/explorer/calls/advice.js";
import {
  createDraft,
  type Draft,
  type FieldDraft,
  valueOf,
} from "../../apps/explorer/calls/draft.js";
import {
  createForm,
  fieldsToJson,
  jsonToFields,
} from "../../apps/explorer/calls/draft-json.js";
import { parseJson, printFlat } from "../../apps/explorer/calls/json-text.js";
import type { Model } from "../../apps/explorer/calls/model.js";
import { entryOf, goldenModel, modelOf } from "./sample-models.js";

const rooms = goldenModel("explorer");

function formOf(model: Model, id: string): readonly FieldDraft[] {
  return createForm(model, entryOf(model, id).method.request);
}

function fieldOf(fields: readonly FieldDraft[], name: string): FieldDraft {
  const found = fields.find(({ field }) => field.name === name);
  return found ?? expect.unreachable(`no field ${name}`);
}

function write(model: Model, draft: FieldDraft, text: string): void {
  const value = valueOf(model, draft);
  if (value.kind !== "text") expect.unreachable("the value is not text");
  draft.state = "given";
  value.text = text;
}

function itemsOf(draft: Draft | null): Draft[] {
  return draft?.kind === "list" ? draft.items : expect.unreachable("no list");
}

function jsonOf(model: Model, fields: readonly FieldDraft[]): string {
  return printFlat(fieldsToJson(model, fields));
}

test("a new form is a typical request without optional fields", () => {
  expect(jsonOf(rooms, formOf(rooms, "Rooms.Say"))).toBe(
    '{"room":"lobby","message":{"id":1,"text":"amber","parent":null},"urgency":"LOW","at":"2026-01-31T12:00:00Z","data":"AA==","counts":{"LOW":[1]}}',
  );
  expect(jsonOf(rooms, formOf(rooms, "Rooms.Find"))).toBe(
    '{"names":["lobby","flc-ohibesdbs"],"level":"LOW"}',
  );
  expect(jsonOf(rooms, formOf(rooms, "Rooms.Clear"))).toBe("{}");
});

test("converts every kind of value to the JSON of its type", () => {
  const fields = formOf(rooms, "Rooms.Say");
  const texts = {
    mood: "grumpy",
    urgency: "HIGH",
    secret: "s3cret",
    old: "true",
    at: "2026-01-31T12:00:00Z",
    reward: "123456789012345678901234567890",
    data: "AQI=",
    extra: '{"a":[1]}',
    ratio: "0.25",
  };
  for (const [name, text] of Object.entries(texts)) {
    write(rooms, fieldOf(fields, name), text);
  }
  const message = valueOf(rooms, fieldOf(fields, "message"));
  if (message.kind !== "struct") expect.unreachable("no struct");
  write(rooms, fieldOf(message.fields, "id"), "18446744073709551615");
  const answers = fieldOf(message.fields, "answers");
  answers.state = "given";
  itemsOf(valueOf(rooms, answers)).length = 0;
  const counts = valueOf(rooms, fieldOf(fields, "counts"));
  if (counts.kind !== "map") expect.unreachable("no map");
  const list = { kind: "scalar", name: "int64" } as const;
  const shape = rooms.shape({ kind: "list", element: list });
  const value = createDraft(rooms, shape);
  itemsOf(value).push(
    { kind: "text", text: "-9223372036854775808" },
    { kind: "text", text: "many" },
  );
  counts.entries.splice(0, 1, { key: "LOW", value });
  expect(jsonOf(rooms, fields)).toBe(
    '{"room":"lobby","message":{"id":18446744073709551615,"text":"amber","answers":[],"parent":null},"mood":"grumpy","urgency":"HIGH","secret":"s3cret","old":true,"at":"2026-01-31T12:00:00Z","reward":"123456789012345678901234567890","data":"AQI=","extra":{"a":[1]},"ratio":0.25,"counts":{"LOW":[-9223372036854775808,"many"]}}',
  );
});

test("distinguishes absent values from null", () => {
  const fields = formOf(rooms, "Rooms.Say");
  const message = valueOf(rooms, fieldOf(fields, "message"));
  if (message.kind !== "struct") expect.unreachable("no struct");
  const parent = fieldOf(message.fields, "parent");
  parent.state = "given";
  const inner = valueOf(rooms, parent);
  expect(inner.kind).toBe("struct");
  expect(jsonOf(rooms, fields)).toContain(
    '"parent":{"id":1,"text":"amber","parent":null}',
  );
  parent.state = "absent";
  expect(jsonOf(rooms, fields)).not.toContain("parent");
});

const texts = [
  '{"room":"lobby","message":{"id":1,"text":"x","parent":null},"urgency":"LOW","at":"2026-01-31T12:00:00Z","data":"AQI=","counts":{"LOW":[1,-2],"HIGH":[]}}',
  '{"room":"lobby","message":{"id":1,"text":"x","answers":[{"id":2,"text":"y","parent":{"id":3,"text":"z","parent":null}}],"parent":null},"mood":"happy","urgency":"LOW","secret":"x","old":false,"at":"2026-01-31T12:00:00Z","reward":"7","data":"AQI=","extra":[null],"ratio":0.5,"counts":{}}',
];

test.each(texts)("the form shows %s and reads it back", (text) => {
  const parsed = parseJson(text);
  if (!parsed.isValid) expect.unreachable(parsed.problem);
  const types = rooms.fieldsOf(entryOf(rooms, "Rooms.Say").method.request);
  const fields = jsonToFields(rooms, types, parsed.node, true);
  if (fields === null) expect.unreachable("the form cannot show it");
  const again = JSON.parse(jsonOf(rooms, fields));
  const expected = JSON.parse(text);
  // For these types, an empty string means that the value is absent.
  for (const name of ["at", "data"]) {
    if (expected[name] === "") delete expected[name];
  }
  expect(again).toEqual(expected);
});

test.each([
  ["an unknown field", '{"rom":"lobby"}'],
  ["a number instead of a string", '{"room":7}'],
  ["a string instead of a number", '{"ratio":"0.5"}'],
  ["null for a value that is not nullable", '{"room":null}'],
  ["an empty string for an optional field", '{"secret":""}'],
  ["an empty string for a timestamp", '{"at":""}'],
  ["a list instead of a struct", '{"message":[]}'],
  ["a value that is not an object", "[]"],
])("the form cannot show %s", (_, text) => {
  const parsed = parseJson(text);
  if (!parsed.isValid) expect.unreachable(parsed.problem);
  const types = rooms.fieldsOf(entryOf(rooms, "Rooms.Say").method.request);
  expect(jsonToFields(rooms, types, parsed.node, true)).toBeNull();
});

test("every method in these golden cases has a form, no matter how deeply its types are nested", () => {
  const names = ["explorer", "hostile", "structs", "files", "enums", "aliases"];
  for (const name of names) {
    const model = goldenModel(name);
    for (const { method } of model.entries) {
      const node = fieldsToJson(model, createForm(model, method.request));
      expect(parseJson(printFlat(node)).isValid).toBe(true);
    }
  }
});

test.each([
  ["room", "Lobby", "expected a room name, at most 20 characters"],
  ["room", "lobby", null],
  ["ratio", "0.6", "expected a number, 0 to 0.5"],
  ["ratio", "0.5", null],
  ["ratio", "", null],
  ["reward", "1.5", "expected a whole number"],
  ["at", "soon", "expected a timestamp such as 2026-01-31T12:00:00Z"],
  ["data", "*", "expected base64"],
  ["extra", "{", "expected JSON"],
  ["mood", "anything", null],
])("checks %s %j: %s", (name, text, advice) => {
  const types = rooms.fieldsOf(entryOf(rooms, "Rooms.Say").method.request);
  const field = types.find((each) => each.name === name);
  if (field === undefined) expect.unreachable(`no field ${name}`);
  expect(adviceFor(rooms, field.type, field.limits, text)).toBe(advice);
});

test("items of a list or map can be null if their type allows it", () => {
  const survey = goldenModel("nullable-items");
  const request = entryOf(survey, "Survey.Save").method.request;
  const text =
    '{"answer":null,"answers":["a",null],"byName":{"a":null,"b":"c"},"scores":[null,1],"rows":[null,[null]],"times":[],"points":[null,{"x":"1","y":2}],"row":[]}';
  const parsed = parseJson(text);
  if (!parsed.isValid) expect.unreachable("the text is not JSON");
  const fields = survey.fieldsOf(request);
  const drafts = jsonToFields(survey, fields, parsed.node);
  expect(jsonOf(survey, drafts ?? [])).toBe(text);
  const names = jsonOf(rooms, formOf(rooms, "Rooms.Find")).replace(
    '["lobby"',
    '[null,"lobby"',
  );
  const other = parseJson(names);
  if (!other.isValid) expect.unreachable("the text is not JSON");
  const { request: find } = entryOf(rooms, "Rooms.Find").method;
  expect(jsonToFields(rooms, rooms.fieldsOf(find), other.node)).toBeNull();
});

test("JSON in a link is read in few steps, however deep its unions are", () => {
  const model = modelOf(`
struct A
  - next?: Either
  - value: []string
  - a: int32

struct B
  - next?: Either
  - value: string
  - b: int32

type Either: any
  + oneOf = "A | B"

service S
  - Send(either: Either)
`);
  const stepsAt = (depth: number): number => {
    let steps = 0;
    const counting: Model = {
      ...model,
      shape: (...given) => {
        steps += 1;
        return model.shape(...given);
      },
    };
    const end = ',"value":"x"}';
    const text = `${'{"next":'.repeat(depth)}{"value":"x"}${end.repeat(depth)}`;
    const parsed = parseJson(`{"either":${text}}`);
    if (!parsed.isValid) expect.unreachable(parsed.problem);
    const fields = model.fieldsOf(entryOf(model, "S.Send").method.request);
    expect(jsonToFields(counting, fields, parsed.node)).not.toBeNull();
    return steps;
  };
  expect(stepsAt(14)).toBeLessThan(5 * stepsAt(7));
});
