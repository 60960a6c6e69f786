import { type Answer, invalid, type ServerCase } from "./case.js";

const json = { "Content-Type": "application/json" };
const ends = "text/event-stream, text/event-stream;end=1";
const kind = (isEnded: boolean, status = 200) => ({
  status,
  headers: {
    "content-type": isEnded ? "text/event-stream;end=1" : "text/event-stream",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
    "x-content-type-options": "nosniff",
  },
});
const print = (...items: readonly string[]): string =>
  [":", ...items].map((item) => `${item}\n\n`).join("");
const data = (...items: readonly string[]): readonly string[] =>
  items.map((item) => `data: ${item}`);

interface Sent {
  readonly verb?: string;
  readonly path: string;
  readonly accept?: string;
  readonly body?: string;
  readonly answer: Answer;
}

const watched = (...numbers: readonly number[]): readonly string[] =>
  data(...numbers.map((n) => `{"id":"a","n":${n}}`));

const events: Readonly<Record<string, Sent>> = {
  "a GET": {
    verb: "GET",
    path: "/ticks/a%2Fb?count=2",
    answer: { ...kind(false), text: print(...data('["a/b",1]', '["a/b",2]')) },
  },
  "a GET that asks for the end": {
    verb: "GET",
    path: "/ticks/a",
    accept: ends,
    answer: {
      ...kind(true),
      text: print(...data('["a",1]'), "event: end"),
    },
  },
  "no events": {
    verb: "GET",
    path: "/ticks/a?count=0",
    accept: ends,
    answer: { ...kind(true), text: print("event: end") },
  },
  "HEAD does not start the stream": {
    verb: "HEAD",
    path: "/ticks/a",
    answer: { ...kind(false), text: "" },
  },
  "invalid fields": {
    verb: "GET",
    path: "/ticks/a?count=x",
    accept: ends,
    answer: invalid("count: expected "),
  },
  "a POST with a status of its own": {
    path: "/clocks/a",
    body: '{"to":3}',
    accept: ends,
    answer: {
      ...kind(true, 201),
      text: print(...watched(1, 2, 3), "event: end"),
    },
  },
  "a stream that resumes": {
    path: "/clocks/a",
    body: '{"to":3,"after":2}',
    accept: ends,
    answer: { ...kind(true, 201), text: print(...watched(3), "event: end") },
  },
  "a stream that resumes at its end": {
    path: "/clocks/a",
    body: '{"to":3,"after":3}',
    accept: ends,
    answer: { ...kind(true, 201), text: print("event: end") },
  },
};

/** Streams of server-sent events. */
export const eventStreams: readonly ServerCase[] = Object.entries(events).map(
  ([title, { accept, answer, body, path, verb = "POST" }]) => ({
    name: `events: ${title}`,
    verb,
    path,
    headers: {
      ...(body !== undefined && json),
      ...(accept !== undefined && { Accept: accept }),
    },
    body: body ?? null,
    answer,
    needs: ["server-sent events"],
  }),
);
