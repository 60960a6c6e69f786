import { type Answer, badRequest, invalid, type ServerCase } from "./case.js";

const type = { "Content-Type": "multipart/form-data; boundary=b0undary" };

/** A part of a form: its name and other parameters, its content, and its type. */
type Part = readonly [name: string, content: string, type?: string];

/** Prints a form of parts. A name can be followed by `; filename=…`. */
function print(parts: readonly Part[], end = "--b0undary--\r\n"): string {
  const printed = parts.map(([name, content, kind]) => {
    const header = kind === undefined ? "" : `Content-Type: ${kind}\r\n`;
    return `--b0undary\r\nContent-Disposition: form-data; name=${name}\r\n${header}\r\n${content}\r\n`;
  });
  return printed.join("") + end;
}

const json: Part = ["json", '{"title":"t"}'];
const picture: Part = [
  '"picture"; filename="a.png"',
  "p\r\n--x\u0000é",
  "image/png",
];
const uploaded = (text: string): Answer => ({ status: 200, text });
const file = (name: string, kind: string, text: string): string =>
  JSON.stringify({ name, type: kind, text });
const content = file("a.png", "image/png", "p\r\n--x\u0000é");

const uploads: Readonly<Record<string, readonly [body: string, Answer]>> = {
  "one file": [
    print([json, picture]),
    uploaded(`{"title":"t","picture":${content}}`),
  ],
  "several files": [
    print([
      ['"json"', '{"title":"t","picture":null,"unknown":1}'],
      picture,
      ['"more"; filename="1"', "one", "text/plain"],
      ['"unknown"; filename="2"', "two"],
      ['"more"; filename="3"', "", "text/plain"],
    ]),
    uploaded(
      `{"title":"t","picture":${content},"more":[${file("1", "text/plain", "one")},${file("3", "text/plain", "")}]}`,
    ),
  ],
  "a name outside of ASCII": [
    print([json, ['"picture"; filename="é 😀.png"', "p", "image/png"]]),
    uploaded(`{"title":"t","picture":${file("é 😀.png", "image/png", "p")}}`),
  ],
  "an encoded name": [
    print([json, ["picture; filename*=UTF-8''%C3%A9.png", "p", "image/png"]]),
    uploaded(`{"title":"t","picture":${file("é.png", "image/png", "p")}}`),
  ],
  "no file": [print([json]), invalid("picture: expected a file, got ")],
  "no fields": [print([picture]), invalid("title: expected a string, got ")],
  "a list of fields": [print([["json", "[]"], picture]), badRequest("")],
  "fields that are no JSON": [print([["json", "{"], picture]), badRequest("")],
  "a form without an end": [
    print([json, picture], "--b0undary\r\n"),
    badRequest(""),
  ],
  "an empty body": ["", badRequest("")],
};

const attached: Readonly<Record<string, readonly [body: string, Answer]>> = {
  "parts in any order": [
    print([
      ['"photos"; filename="1"', "one", "text/plain"],
      ['"tags"', "x"],
      ['"paper"; filename="p"', "paper", "text/plain"],
      ['"title"', "a\r\nb"],
      ['"tags"', "y"],
      ['"unknown"', "z"],
    ]),
    uploaded(
      `{"id":"a","title":"a\\r\\nb","tags":["x","y"],"paper":${file("p", "text/plain", "paper")},"photos":[${file("1", "text/plain", "one")}]}`,
    ),
  ],
  "no file": [
    print([['"title"', "t"]]),
    invalid("paper: expected a file, got nothing"),
  ],
  "an empty part without a name": [
    print([['"paper"; filename=""', "", "application/octet-stream"]]),
    invalid("paper: expected a file, got nothing"),
  ],
  "a text twice": [
    print([
      ['"title"', "t"],
      ['"title"', "u"],
      ['"paper"; filename="p"', "p"],
    ]),
    invalid("title: expected "),
  ],
};

interface Sent {
  readonly title: string;
  readonly verb?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | null;
  readonly answer: Answer;
  readonly needs?: readonly string[];
}

const rest = ["verbs and queries", "files"];
const store = {
  verb: "PUT",
  path: "/documents/a?note=n",
  needs: rest,
} as const;
const stored = (kind: string, text: string): Answer => ({
  status: 200,
  text: `{"id":"a","note":"n","content":${file("", kind, text)}}`,
});
const text = "text/plain";

const others: readonly Sent[] = [
  {
    title: "JSON in place of a form",
    path: "/rpc/Uploads/Upload",
    headers: { "Content-Type": "application/json" },
    body: '{"title":"t"}',
    answer: badRequest("content-type: expected multipart/form-data, got ", 415),
  },
  {
    title: "a form without a boundary",
    path: "/rpc/Uploads/Upload",
    headers: { "Content-Type": "multipart/form-data" },
    body: print([json, picture]),
    answer: badRequest(""),
  },
  {
    title: "an upload of a page of another site",
    path: "/rpc/Uploads/Upload",
    headers: { ...type, "Sec-Fetch-Site": "cross-site" },
    body: print([json, picture]),
    answer: badRequest(""),
  },
  {
    ...store,
    title: "a file as the body",
    headers: { "Content-Type": "image/png" },
    body: "\u0000\r\né",
    answer: stored("image/png", "\u0000\r\né"),
  },
  {
    ...store,
    title: "a file as the body without a type",
    headers: {},
    body: "x",
    answer: stored("application/octet-stream", "x"),
  },
  {
    ...store,
    title: "an empty file as the body",
    headers: { "Content-Type": text },
    body: "",
    answer: stored(text, ""),
  },
  {
    ...store,
    title: "no file as the body",
    headers: {},
    body: null,
    answer: invalid("content: expected a file, got nothing"),
  },
  {
    ...store,
    title: "a file whose name the server ignores",
    headers: {
      "Content-Type": text,
      "Content-Disposition": 'attachment; filename="x"',
    },
    body: "x",
    answer: stored(text, "x"),
  },
  {
    title: "a download",
    path: "/rpc/Uploads/Download",
    headers: { "Content-Type": "application/json" },
    body: '{"name":"a b.txt"}',
    answer: {
      status: 200,
      text: "a b.txt",
      headers: {
        "content-type": text,
        "content-disposition": 'attachment; filename="a b.txt"',
        "x-content-type-options": "nosniff",
      },
    },
  },
  {
    title: "a read of a file",
    verb: "GET",
    path: "/documents/a%2Fb/content",
    headers: {},
    body: null,
    answer: {
      status: 200,
      text: "a/b",
      headers: { "content-type": text, etag: null },
    },
    needs: rest,
  },
  {
    title: "HEAD of a file",
    verb: "HEAD",
    path: "/documents/a/content",
    headers: {},
    body: null,
    answer: { status: 200, text: "", headers: { "content-type": text } },
    needs: rest,
  },
];

const formsTo = (
  path: string,
  rows: Readonly<Record<string, readonly [body: string, Answer]>>,
  needs: readonly string[],
): readonly Sent[] =>
  Object.entries(rows).map(([title, [body, answer]]) => ({
    title: `${path.startsWith("/rpc") ? "an upload" : "a form"} with ${title}`,
    path,
    headers: type,
    body,
    answer,
    needs,
  }));

/** Uploads, files as bodies, and downloads. */
export const files: readonly ServerCase[] = [
  ...formsTo("/rpc/Uploads/Upload", uploads, ["files"]),
  ...formsTo("/papers/a", attached, [...rest, "forms"]),
  ...others,
].map(({ title, needs = ["files"], ...given }) => ({
  ...given,
  name: `files: ${title}`,
  needs,
}));
