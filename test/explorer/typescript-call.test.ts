import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createExplorerData } from "../../generator/4-emit/docs/create-data.js";
import {
  createFields,
  type Draft,
  type FieldDraft,
} from "../../apps/explorer/calls/draft.js";
import { fieldsToJson } from "../../apps/explorer/calls/draft-json.js";
import {
  type JsonNode,
  parseJson,
} from "../../apps/explorer/calls/json-text.js";
import {
  createModel,
  type Entry,
  type Model,
} from "../../apps/explorer/calls/model.js";
import { printFetch } from "../../apps/explorer/calls/fetch-call.js";
import { printGo } from "../../apps/explorer/calls/go-call.js";
import { printPython } from "../../apps/explorer/calls/python-call.js";
import { createRequest } from "../../apps/explorer/calls/request.js";
import {
  type PlainCall,
  planCall,
  type SnippetInput,
} from "../../apps/explorer/calls/snippet-request.js";
import { printTypeScript } from "../../apps/explorer/calls/typescript-call.js";
import type { OutputFile } from "../../generator/4-emit/emitter/emitter.js";
import { emitCase, goldenCases, readTree } from "../support/golden-cases.js";
import {
  connectionOf,
  entryOf,
  goldenModel,
  platformCase,
} from "./sample-models.js";
import { runTsc } from "../support/run-tsc.js";
import { runtimePaths } from "../support/runtime-entries.js";

const keys = { "X-Access-Key": 'a"b', Authorization: "${t}" };
const connection = connectionOf(
  { api: "http://a", rooms: "http://{region}.b" },
  { network: "polygon", region: "eu" },
  keys,
);

const rooms = goldenModel("explorer");

/** Wraps a printer whose snippets do not need a generated client. */
const plain = (print: (call: PlainCall) => string) => (input: SnippetInput) =>
  print(planCall(input));

function snippetOf(
  model: Model,
  entry: Entry,
  message: JsonNode,
  showsKeys = false,
  print = printTypeScript,
): string {
  const request = createRequest(model, entry, message, [], connection);
  return print({
    model,
    entry,
    message,
    request,
    connection,
    showsKeys,
  });
}

function nodeOf(text: string): JsonNode {
  const parsed = parseJson(text);
  return parsed.isValid ? parsed.node : expect.unreachable(parsed.problem);
}

test("a snippet calls the generated client", () => {
  const text = `{"room":"</script>","message":{"id":18446744073709551615,"text":"'","parent":null},
    "urgency":"LOW","at":"2026-01-31T12:00:00Z","reward":"007","data":"AQI=","extra":{"__proto__":1},
    "counts":{"LOW":[1]}}`;
  const entry = entryOf(rooms, "Rooms.Say");
  expect(snippetOf(rooms, entry, nodeOf(text))).toMatchInlineSnapshot(`
    "import { createRoomsClient } from "./generated/client.js";

    const client = createRoomsClient({
      baseUrl: "http://eu.b",
      parameters: { region: "eu" },
      credentials: { token: process.env["TOKEN"] ?? "" },
    });
    const response = await client.say({
      room: "</script>",
      message: {
        id: 18446744073709551615n,
        text: "'",
        parent: null,
      },
      urgency: "LOW",
      at: new Date("2026-01-31T12:00:00Z"),
      reward: 7n,
      data: Uint8Array.from(atob("AQI="), (c) => c.charCodeAt(0)),
      extra: {
        ["__proto__"]: 1,
      },
      counts: {
        LOW: [1n],
      },
    });
    console.log(response);
    "
  `);
});

const message = (id: string): JsonNode =>
  nodeOf(`{"room":"\u202e\`","message":{"id":${id},"parent":null}}`);
const say = entryOf(rooms, "Rooms.Say");

test("a fetch snippet prints large integers exactly", () => {
  const small = snippetOf(rooms, say, message("7"), false, plain(printFetch));
  expect(small).toMatchInlineSnapshot(`
    "const response = await fetch("http://eu.b/eu/rpc/Rooms/Say", {
      method: "POST",
      redirect: "error",
      headers: {
        "Content-Type": "application/json",
        "Authorization": "Bearer " + process.env.TOKEN,
      },
      body: JSON.stringify({
        room: "\\u{202e}\`",
        message: {
          id: 7,
          parent: null,
        },
      }),
    });
    if (!response.ok) {
      throw new Error(\`\${response.status}: \${await response.text()}\`);
    }
    // As text, because JSON.parse would round large integers.
    console.log(await response.text());
    "
  `);
  const large = snippetOf(
    rooms,
    say,
    message("9007199254740993"),
    true,
    plain(printFetch),
  );
  expect(large).toContain(String.raw`\"id\":9007199254740993`);
});

test("a Python snippet uses only the standard library", () => {
  const id = "18446744073709551615";
  const python = snippetOf(rooms, say, message(id), false, plain(printPython));
  expect(python).toMatchInlineSnapshot(`
    "import json
    import os
    import sys
    import urllib.error
    import urllib.request

    class NoRedirect(urllib.request.HTTPRedirectHandler):
        redirect_request = lambda *_: None

    request = urllib.request.Request(
        "http://eu.b/eu/rpc/Rooms/Say",
        method="POST",
        headers={
            "Content-Type": "application/json",
            "Authorization": "Bearer " + os.environ["TOKEN"],
        },
        data=json.dumps({
            "room": "\\u202e\`",
            "message": {
                "id": 18446744073709551615,
                "parent": None,
            },
        }).encode(),
    )
    try:
        with urllib.request.build_opener(NoRedirect).open(request) as response:
            print(json.load(response))
    except urllib.error.HTTPError as error:
        sys.exit(f"{error.code}: {error.read().decode()}")
    "
  `);
  const infinite = snippetOf(
    rooms,
    say,
    message("1e999"),
    true,
    plain(printPython),
  );
  expect(infinite).toContain(String.raw`\"id\":1e999`);
});

test("a Go snippet sends its message in wire form", () => {
  const go = snippetOf(rooms, say, message("7"), false, plain(printGo));
  expect(go).toMatchInlineSnapshot(`
    "package main

    import (
    	"fmt"
    	"io"
    	"net/http"
    	"os"
    	"strings"
    )

    func main() {
    	request, err := http.NewRequest("POST", "http://eu.b/eu/rpc/Rooms/Say", strings.NewReader(\`{"room":"\\u202e\\u0060","message":{"id":7,"parent":null}}\`))
    	if err != nil {
    		panic(err)
    	}
    	request.Header.Set("Content-Type", "application/json")
    	request.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
    	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
    		return http.ErrUseLastResponse
    	}}
    	response, err := client.Do(request)
    	if err != nil {
    		panic(err)
    	}
    	defer response.Body.Close()
    	if response.StatusCode >= 300 {
    		text, _ := io.ReadAll(response.Body)
    		fmt.Fprintf(os.Stderr, "%d: %s\\n", response.StatusCode, text)
    		os.Exit(1)
    	}
    	if _, err := io.Copy(os.Stdout, response.Body); err != nil {
    		panic(err)
    	}
    }
    "
  `);
});

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ridlkit-snippets-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}

/** Writes snippets of all methods next to the code that they import. */
function writeCase(
  name: string,
  model: Model,
  files: readonly OutputFile[],
  messages: ReadonlyMap<string, string>,
): void {
  for (const { path, text } of files) write(`${name}/generated/${path}`, text);
  for (const entry of model.entries) {
    const types = model.fieldsOf(entry.method.request);
    const text = messages.get(entry.id);
    const message =
      text === undefined
        ? fieldsToJson(model, filledIn(createFields(model, types)))
        : nodeOf(text);
    for (const showsKeys of [true, false]) {
      const file = `${name}/${entry.id.replace(/\W/gu, "-")}-${showsKeys}.ts`;
      write(file, snippetOf(model, entry, message, showsKeys));
    }
  }
}

/**
 * Fills in number fields without an example. They start empty, which makes the
 * form invalid.
 */
function filledIn(fields: readonly FieldDraft[]): readonly FieldDraft[] {
  for (const { field, state, value } of fields) {
    if (state === "given" && !field.isOptional && value !== null) {
      fillIn(value);
    }
  }
  return fields;
}

function fillIn(draft: Draft): void {
  if (draft.kind === "text") draft.text ||= "1";
  if (draft.kind === "list") draft.items.forEach(fillIn);
  if (draft.kind === "struct") filledIn(draft.fields);
}

test("snippets of all methods compile", () => {
  const { contract, options } = platformCase();
  const platform = createModel(createExplorerData(contract, options, {}));
  const generated = [...readTree("generated")].map(([path, text]) => ({
    path,
    text,
  }));
  writeCase("platform", platform, generated, new Map());
  const golden = goldenCases().find(({ name }) => name === "explorer");
  if (golden === undefined) expect.unreachable("there is no such case");
  const messages = new Map([
    [
      "Rooms.Say",
      '{"room":"a","message":{"id":1,"text":"x","parent":{"id":2,"text":"y","answers":[],"parent":null}},"mood":"other","urgency":"LOW","at":"2026-01-31T12:00:00Z","reward":"7","data":"AQI=","extra":[1,{"a":null}],"ratio":0.5,"counts":{"LOW":[1,-2]}}',
    ],
  ]);
  writeCase("rooms", rooms, emitCase(golden), messages);
  write("package.json", '{ "type": "module" }');
  const compilerOptions = {
    target: "es2022",
    lib: ["es2023", "dom", "dom.iterable"],
    types: ["node"],
    typeRoots: [resolve("node_modules/@types")],
    module: "nodenext",
    moduleResolution: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noPropertyAccessFromIndexSignature: true,
    skipLibCheck: true,
    noEmit: true,
    paths: runtimePaths(),
  };
  const include = ["platform/*.ts", "rooms/*.ts"];
  write("tsconfig.json", JSON.stringify({ compilerOptions, include }));
  expect(platform.entries.length + rooms.entries.length).toBeGreaterThan(25);
  expect(runTsc(join(folder, "tsconfig.json")).stdout).toBe("");
});
