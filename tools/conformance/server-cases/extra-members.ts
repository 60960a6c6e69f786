import { echoes, refuses, type ServerCase } from "./case.js";

const about = "extra members";

/** Members that no field declares and that a map collects. */
export const extraMembers: readonly ServerCase[] = [
  ...echoes(
    about,
    "Extras",
    '{"id":"a"}',
    '{"id":"a","b":1,"c":[null,{"d":-1.5}],"e":null}',
    '{"id":"a","rest":{"id":"b"}}',
    '{"id":"a","":0,"\\u0000 ":[],"__proto__":{"x":1},"constructor":"c","toString":null}',
    '{"id":"a","größe 😀":{},"value":"b"}',
  ),
  // The last one of several members with the same name counts.
  ...echoes(about, "Extras", [
    '{"id":"a","b":{"id":"x"},"b":2,"id":"c"}',
    '{"id":"c","b":2}',
  ]),
  ...refuses(about, "Extras", "value.id: expected a string, got ", '{"b":1}'),
  ...echoes(
    about,
    "TypedExtras",
    "{}",
    '{"when":"2024-02-29T00:00:00.000Z"}',
    '{"__proto__":"1","a":"-2","sizes":"3"}',
  ),
  ...refuses(
    about,
    "TypedExtras",
    "value.a: expected a string that represents an integer, got ",
    '{"a":"x"}',
    '{"a":null}',
  ),
  ...refuses(
    about,
    "TypedExtras",
    "value.sizes: expected a string that represents an integer, got ",
    '{"sizes":{"a":"1"}}',
  ),
  ...refuses(
    about,
    "TypedExtras",
    "value.When: expected a string that matches ^[a-z_]+$ as a key, got ",
    '{"When":"1"}',
  ),
  ...refuses(
    about,
    "TypedExtras",
    "value: expected an object with at most 3 entries, got one with 4",
    '{"a":"1","b":"2","c":"3","d":"4"}',
    '{"a":"1","b":"2","c":"3","d":"4","when":"2024-02-29T00:00:00.000Z"}',
  ),
  ...refuses(
    about,
    "TypedExtras",
    "value.when: expected a timestamp, got 1; value.a: expected ",
    '{"a":1.5,"when":1}',
  ),
  ...echoes(
    about,
    "OnlyExtras",
    "{}",
    '{"a":{"x":1},"b":null,"points":{"x":2,"y":3}}',
  ),
  ...refuses(
    about,
    "OnlyExtras",
    "value.b.x: expected ",
    '{"a":{"x":1},"b":{"x":"1"}}',
  ),
  ...refuses(
    about,
    "SecretExtras",
    "value.*: expected a string of ",
    '{"name":"a","key":"too long to be valid"}',
  ),
  ...echoes(
    about,
    "ManyExtras",
    '{"sets":[{"a":"1"},{"a":"2"},{"b":"1"}]}',
    '{"sets":[],"variants":[{"kind":"cat","born":"2024-02-29T00:00:00.000Z","died":null},{"kind":"dog","age":3}]}',
  ),
  ...refuses(
    about,
    "ManyExtras",
    "value.sets: expected a list without duplicates",
    '{"sets":[{"a":"1"},{"a":"01"}]}',
    '{"sets":[{"a":"1","b":"2"},{"b":"2","a":"1"}]}',
  ),
  ...refuses(
    about,
    "ManyExtras",
    "value.variants[0].born: expected a timestamp or null, got 1",
    '{"sets":[],"variants":[{"kind":"cat","born":1}]}',
  ),
];
