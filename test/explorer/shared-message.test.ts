import { expect, test } from "vitest";
import { parseJson } from "../../apps/explorer/calls/json-text.js";
import {
  isWhole,
  linkWithMessage,
  readLink,
} from "../../apps/explorer/calls/shared-message.js";
import { entryOf, modelOf } from "./sample-models.js";

const model = modelOf(`
struct Login
  - kind: string
    + enum = login
  - name: string
  - password: string
    + sensitive = true

struct Visit
  - kind: string
    + enum = visit
  - name: string
  - note?: string

type Session: any
  + oneOf = Login|Visit
  + tag = kind

struct Account
  - name?: string
  - password?: string
    + sensitive = true

type Owner: any
  + oneOf = "string | []Account | Login"

service Doors
  - Open(session?: Session, owner?: Owner, sessions?: []Session, byName?: map<string,Session>, account?: Account, accounts?: []Account, names?: []string, room?: string, extra?: any, count?: int32)
`);
const entry = entryOf(model, "Doors.Open");

/** Returns the message in a link. */
function shared(message: string): unknown {
  const parsed = parseJson(message);
  if (!parsed.isValid) expect.unreachable(parsed.problem);
  const { id, json } = readLink(linkWithMessage(model, entry, parsed.node));
  expect(id).toBe("Doors.Open");
  return JSON.parse(json ?? "");
}

const login = '{"kind":"login","name":"ann","password":"s3cret"}';
const open = { kind: "login", name: "ann" };

test.each([
  ["a union with a tag", `{"session":${login}}`, { session: open }],
  ["a union without one", `{"owner":${login}}`, { owner: open }],
  [
    "a list in a union",
    '{"owner":[{"name":"ann","password":"s3cret"}]}',
    { owner: [{ name: "ann" }] },
  ],
  ["a list of unions", `{"sessions":[${login}]}`, { sessions: [open] }],
  ["a map of unions", `{"byName":{"a":${login}}}`, { byName: { a: open } }],
  [
    "another variant",
    '{"session":{"kind":"visit","name":"ann","password":"s3cret"}}',
    { session: { kind: "visit", name: "ann" } },
  ],
  ["no variant", '{"owner":{"pin":"s3cret"}}', {}],
  ["an unknown tag", '{"session":{"kind":"x","password":"s3cret"}}', {}],
  ["a struct", '{"account":{"password":"s3cret"}}', { account: {} }],
  ["a list for a struct", '{"account":[{"password":"s3cret"}]}', {}],
  ["a text for a struct", '{"account":"s3cret"}', {}],
  ["a struct for a list", '{"accounts":{"password":"s3cret"}}', {}],
  ["texts for structs", '{"accounts":["s3cret"]}', { accounts: [] }],
  ["a list for a map", '{"byName":["s3cret"]}', {}],
  ["a struct for a text", '{"room":{"password":"s3cret"}}', {}],
  ["an undeclared field", '{"passwort":"s3cret","room":"a"}', { room: "a" }],
  ["a list for a message", '["s3cret"]', {}],
  ["a text for a message", '"s3cret"', {}],
])("a link has no secrets from %s", (_, message, expected) => {
  expect(shared(message)).toEqual(expected);
});

test.each([
  '{"session":{"kind":"visit","name":"ann"},"owner":"ann"}',
  '{"session":{"kind":"visit","name":7,"note":""}}',
  '{"owner":[],"sessions":[],"byName":{},"account":null}',
  '{"names":["a",1],"room":7,"count":"many","extra":{"a":[null]}}',
  '{"names":null,"room":"","extra":"a"}',
])("a link has everything else of %s", (message) => {
  expect(shared(message)).toEqual(JSON.parse(message));
});

test.each([
  [`{"session":${login}}`, false],
  ['{"account":"ann"}', false],
  ['{"room":"a","passwort":"s3cret"}', false],
  ['{"owner":"ann","count":7}', true],
  ['{"count":"many","names":null,"room":"\ud800","extra":[1e3]}', true],
])("whether a link contains all of %s: %j", (message, expected) => {
  const parsed = parseJson(message);
  if (!parsed.isValid) expect.unreachable(parsed.problem);
  const link = linkWithMessage(model, entry, parsed.node);
  expect(isWhole(link, parsed.node)).toBe(expected);
});
