import { type Answer, badRequest, invalid, type ServerCase } from "./case.js";

const json = { "Content-Type": "application/json" };
const form = { "Content-Type": "application/x-www-form-urlencoded" };
const needs = ["verbs and queries", "forms"];

const created = (text: string): Answer => ({ status: 201, text });
const ok = (text: string): Answer => ({ status: 200, text });

/** Bodies of forms, and what the server returns. */
const forms: Readonly<Record<string, Answer>> = {
  "": created('{"id":"a"}'),
  "&&": created('{"id":"a"}'),
  "note=": created('{"id":"a","note":""}'),
  note: created('{"id":"a","note":""}'),
  "note=a+b%20c%2Bd&flag=true": created(
    '{"id":"a","note":"a b c+d","flag":true}',
  ),
  "n%6Fte=%C3%A9": created('{"id":"a","note":"é"}'),
  "id=b&unknown=1&unknown=2&note=n": created('{"id":"a","note":"n"}'),
  "ratio=0.5&at=2024-02-29T12:00:00.000Z": created(
    '{"id":"a","ratio":0.5,"at":"2024-02-29T12:00:00.000Z"}',
  ),
  "tags=x&tags=y,z": created('{"id":"a","tags":["x","y,z"]}'),
  "tags[]=x&tags[]=y": created('{"id":"a","tags":["x","y"]}'),
  "tags[1]=y&tags[0]=x": created('{"id":"a","tags":["x","y"]}'),
  "tags%5B%5D=x": created('{"id":"a","tags":["x"]}'),
  "address[street]=s&address[floors]=1&address[floors]=2": created(
    '{"id":"a","address":{"street":"s","floors":[1,2]}}',
  ),
  "counts[k]=3&counts[__proto__]=4": created(
    '{"id":"a","counts":{"k":3,"__proto__":4}}',
  ),
  "note=a&note=b": invalid("note: expected "),
  "note=%ff": invalid("note: expected "),
  "flag=1": invalid("flag: expected a boolean, got "),
  "ratio=x": invalid("ratio: expected "),
  "at=today": invalid("at: expected "),
  "tags=x&tags[]=y": invalid("tags: expected "),
  "tags[1]=y": invalid("tags"),
  "address[floors]=1": invalid("address.street: expected a string, got "),
  "address[street]=s&address[floors][]=x": invalid(
    "address.floors[0]: expected ",
  ),
  "counts[k]=-1": invalid("counts"),
  [`note=n&${"x=&".repeat(1001)}`]: badRequest(""),
};

const brackets: Readonly<Record<string, Answer>> = {
  "tags[]=x&tags[]=y&address[street]=s&address[floors][]=1": ok(
    '{"id":"a","tags":["x","y"],"address":{"street":"s","floors":[1]}}',
  ),
  "tags=x&tags=y": ok('{"id":"a","tags":["x","y"]}'),
};

const types: readonly (readonly [
  title: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  answer: Answer,
])[] = [
  [
    "JSON in place of a form",
    json,
    '{"note":"n"}',
    badRequest(
      "content-type: expected application/x-www-form-urlencoded, got ",
      415,
    ),
  ],
  [
    "no type",
    {},
    "note=n",
    badRequest(
      "content-type: expected application/x-www-form-urlencoded, got ",
      415,
    ),
  ],
  [
    "a type with a parameter and other letters",
    { "Content-Type": "Application/X-WWW-Form-Urlencoded; charset=UTF-8" },
    "note=n",
    created('{"id":"a","note":"n"}'),
  ],
  ["an empty body without a type", {}, "", created('{"id":"a"}')],
  [
    "a page of another site",
    { ...form, "Sec-Fetch-Site": "cross-site" },
    "note=n",
    badRequest(""),
  ],
  [
    "a page of the same origin",
    { ...form, "Sec-Fetch-Site": "same-origin" },
    "note=n",
    created('{"id":"a","note":"n"}'),
  ],
];

interface PartCase {
  readonly title: string;
  readonly verb: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly answer: Answer;
}

const page = (
  title: string,
  headers: Readonly<Record<string, string>>,
  answer: Answer,
): PartCase => ({
  title: `a page with ${title}`,
  verb: "PUT",
  path: "/pages/7?tags=c%20d,e&beta=true",
  headers: { ...json, ...headers },
  body: '{"name":"n","revision":"b","counts":[9],"flag":false}',
  answer,
});

const report = (title: string, name: string, answer: Answer): PartCase => ({
  title: `a report ${title}`,
  verb: "POST",
  path: "/reports",
  headers: json,
  body: JSON.stringify({ name }),
  answer,
});

/** Fields in headers, and several statuses. */
const parts: readonly PartCase[] = [
  page(
    "headers",
    { "If-Match": "r 1", "X-Counts": "1, 2 ,3", "X-Flag": "true" },
    {
      status: 200,
      text: '{"name":"n"}',
      headers: { "x-counts": "1,2,3", "x-flag": "true" },
    },
  ),
  page(
    "an empty header of a list",
    { "If-Match": "r", "X-Counts": "" },
    { status: 200, text: '{"name":"n"}', headers: { "x-flag": null } },
  ),
  page("no required header", {}, invalid("revision: expected a string, got ")),
  page(
    "a header of the wrong type",
    { "If-Match": "r", "X-Counts": "1,x" },
    invalid("counts[1]: expected "),
  ),
  page(
    "a flag that is no boolean",
    { "If-Match": "r", "X-Flag": "yes" },
    invalid("flag: expected a boolean, got "),
  ),
  report("with the first status", "a", ok('{"name":"a"}')),
  report("with the second status", "later", {
    status: 202,
    text: '{"position":1}',
  }),
  report("without content", "", {
    status: 204,
    text: "",
    headers: { "content-type": null },
  }),
  ...["new", "old"].map((name): PartCase => ({
    title: `a replaced report that is ${name}`,
    verb: "PUT",
    path: `/reports/${name}`,
    headers: {},
    body: "",
    answer: { status: name === "new" ? 201 : 200, text: `{"name":"${name}"}` },
  })),
  ...[
    [
      "its content type",
      "application/merge-patch+json",
      ok('{"received":{"name":"b"}}'),
    ],
    [
      "another content type",
      "application/json",
      badRequest(
        "content-type: expected application/merge-patch+json, got ",
        415,
      ),
    ],
  ].map(([title, type, answer]) => ({
    title: `a patch with ${String(title)}`,
    verb: "PATCH",
    path: "/reports/a",
    headers: { "Content-Type": String(type) },
    body: '{"name":"b"}',
    answer: answer as Answer,
  })),
];

const formCase = (
  name: string,
  verb: string,
  body: string,
  answer: Answer,
  headers: Readonly<Record<string, string>> = form,
): ServerCase => ({
  name: `forms: ${name.slice(0, 60)}`,
  verb,
  path: "/forms/a",
  headers,
  body,
  answer,
  needs,
});

/** Forms, fields in headers, and statuses. */
export const formsAndParts: readonly ServerCase[] = [
  ...Object.entries(forms).map(([body, answer]) =>
    formCase(`POST ${body}`, "POST", body, answer),
  ),
  ...Object.entries(brackets).map(([body, answer]) =>
    formCase(`PUT ${body}`, "PUT", body, answer),
  ),
  ...types.map(([title, headers, body, answer]) =>
    formCase(title, "POST", body, answer, headers),
  ),
  ...parts.map(({ title, ...given }): ServerCase => ({
    ...given,
    name: `parts: ${title}`,
    body: given.body === "" ? null : given.body,
    needs: ["verbs and queries", "headers and statuses"],
  })),
];
