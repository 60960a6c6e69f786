import { expect, test } from "vitest";
import {
  CompletionRequest,
  CompletionResolveRequest,
  DefinitionRequest,
  DocumentFormattingRequest,
  HoverRequest,
  RegistrationRequest,
  type CompletionItem,
  type Registration,
} from "vscode-languageserver-protocol/node";
import { connect, startEditor, startHere, type Editor } from "./editor.js";

const shop = `webrpc = v1
name = shop
version = v1.0.0
basepath = /rpc

service Shop
  - Get(id: string) => (title: string)
`;

const config = "schema: [shop.ridl]\nemit: [./sql]\ntemplates: ./mine\n";
const tables = "{{#each types}}\n{{> table}}\n{{/each}}\n";

const files = {
  "ridl.config.yaml": config,
  "shop.ridl": shop,
  "sql/files/schema.sql.hbs": tables,
  "sql/table.hbs": "-- {{comment name}}\n",
  "mine/markdown/facts.hbs": "Has no side effects.\n",
};

/** Replaces the text of an open file, and returns its diagnostics. */
async function edit(editor: Editor, path: string, text: string) {
  await editor.change(path, [{ text }]);
  return editor.diagnosticsOf(path);
}

test("reports what `ridl check` reports, until it is fixed", async () => {
  const editor = await startEditor(files);
  const path = "sql/table.hbs";
  await editor.open(path);
  expect(await editor.diagnosticsOf(path)).toEqual([]);
  const faulty = "-- {{comment name}}\n-- {{comment nam}} {{> colum}}\n";
  const [first, second, ...others] = await edit(editor, path, faulty);
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    code: "unknown-template-name",
    severity: 1,
    source: "ridl",
    range: {
      start: { line: 1, character: 13 },
      end: { line: 1, character: 16 },
    },
  });
  expect(first?.message).toContain("`TypeView` has no `nam`");
  expect(first?.message).toContain("help: did you mean `name`?");
  expect(second?.message).toBe("there is no partial `colum`");

  editor.sandbox.write({ [path]: faulty });
  const { stderr } = await editor.sandbox.run(["check"]);
  expect(stderr).toContain("--> sql/table.hbs:2:14");
  for (const { message } of [first, second].flatMap((each) => each ?? [])) {
    expect(stderr).toContain(String(message).split("\n")[0]);
  }

  // The file on disk is still faulty.
  expect(await edit(editor, path, "-- {{comment name}}\n")).toEqual([]);
  expect(await edit(editor, path, "{{#if name}}\n")).toMatchObject([
    { code: "template-syntax" },
  ]);
  await editor.close(path);
  await expect
    .poll(async () => (await editor.diagnosticsAt(editor.uriOf(path))).length)
    .toBe(2);
  expect(await editor.end()).toBe(0);
});

test("checks all templates again if a partial changes", async () => {
  const editor = await startEditor(files);
  const caller = "sql/files/schema.sql.hbs";
  const partial = "sql/table.hbs";
  await editor.open(partial);
  await editor.open(caller);
  expect(await editor.diagnosticsOf(caller)).toEqual([]);
  // The partial gets a method now, which has no kind.
  await edit(editor, partial, "{{kind}}\n");
  const methods =
    "{{#each hosts}}{{#each services}}{{#each methods}}{{> table}}{{/each}}{{/each}}{{/each}}\n";
  await edit(editor, caller, methods);
  const [found] = await editor.diagnosticsOf(partial);
  expect(found?.message).toContain("`MethodView` has no `kind`");
  await edit(editor, caller, tables);
  await expect.poll(() => editor.diagnosticsOf(partial)).toEqual([]);

  // Partials that are not open.
  await edit(editor, caller, "{{> other}}\n");
  expect(await editor.diagnosticsOf(caller)).toMatchObject([
    { message: expect.stringContaining("there is no partial `other`") },
  ]);
  editor.sandbox.write({ "sql/other.hbs": "{{> table}}\n" });
  await expect.poll(() => editor.diagnosticsOf(caller)).toEqual([]);
  expect(await editor.end()).toBe(0);
});

test("reports a call that gives one of ridlkit's templates something else", async () => {
  const editor = await startEditor(files);
  const path = "mine/markdown/facts.hbs";
  await editor.open(path);
  const [found, ...others] = await edit(
    editor,
    path,
    "Facts:\n{{> credentials}}\n",
  );
  expect(found?.range.start).toEqual({ line: 1, character: 0 });
  expect(found?.message).toMatch(/this is `MethodView`$/mu);
  expect(found?.message).toMatch(
    /note: in ridlkit\/templates\/markdown\/credentials\.hbs:\d+:\d+/u,
  );
  expect(others).toEqual([]);
  expect(await edit(editor, path, "None.\n")).toEqual([]);
  expect(await editor.end()).toBe(0);
});

test("reports mistakes in settings about templates", async () => {
  const editor = await startEditor(files);
  const uri = editor.uriOf("ridl.config.yaml");
  await editor.open("mine/markdown/facts.hbs");
  await editor.diagnosticsOf("mine/markdown/facts.hbs");
  editor.sandbox.remove("sql");
  const messages = async () =>
    (await editor.diagnosticsAt(uri)).map(
      ({ message }) => String(message).split("\n")[0],
    );
  await expect.poll(messages).toEqual(["`./sql` is no folder with templates"]);
  const setEmit = (entry: string) =>
    editor.sandbox.write({
      "ridl.config.yaml": config.replace("./sql", entry),
    });
  setEmit("dosc");
  await expect
    .poll(messages)
    .toEqual([
      "there is no target `dosc`, and no package with this name is installed",
    ]);
  setEmit("docs");
  await expect.poll(messages).toEqual([]);
  expect(await editor.end()).toBe(0);
});

test("reports mistakes in the rules for names", async () => {
  const path = "sql/names.json";
  const editor = await startEditor({ ...files, [path]: "{}\n" });
  await editor.open(path);
  expect(await editor.diagnosticsOf(path)).toEqual([]);
  const faulty = '{ "roles": { "field": { "case": "snak" } } }\n';
  expect(await edit(editor, path, faulty)).toMatchObject([
    { message: expect.stringContaining("roles.field.case") },
  ]);
  expect(await edit(editor, path, "{}\n")).toEqual([]);
  expect(await editor.end()).toBe(0);
});

test("ignores files that are no templates of the project", async () => {
  const editor = await startEditor({
    ...files,
    "other/page.hbs": "{{nothing}}",
    "emails/ridl.config.yaml": "schema: [a.ridl]\n",
    "emails/a.ridl": shop,
    "emails/letter.hbs": "{{nothing}}",
  });
  await editor.open("other/page.hbs");
  await editor.open("emails/letter.hbs");
  await editor.open("sql/table.hbs", "{{nothing}}");
  const found = await editor.diagnosticsOf("sql/table.hbs");
  expect(found).toHaveLength(1);
  const published = editor.history.map(({ uri }) => uri);
  expect(published).not.toContain(editor.uriOf("other/page.hbs"));
  expect(published).not.toContain(editor.uriOf("emails/letter.hbs"));
  expect(await editor.end()).toBe(0);
});

test("completes, explains and finds what a template can name", async () => {
  const editor = await startEditor({ ...files, "sql/part.hbs": "" });
  const path = "sql/table.hbs";
  const textDocument = { uri: editor.uriOf(path) };
  const text = "{{#if (exists docs)}}{{md-docs docs}}{{/if}}{{> part}}{{na";
  await editor.open(path, text);
  const position = editor.positionOf(path, "{{na", 4);
  const { connection } = editor;
  const list = await connection.sendRequest(CompletionRequest.type, {
    textDocument,
    position,
  });
  const items: readonly CompletionItem[] =
    list === null || Array.isArray(list) ? [] : list.items;
  const item = items.find(({ label }) => label === "docs") ?? expect.fail();
  expect(item).toMatchObject({ detail: "`DocsView` or null", kind: 5 });
  const resolved = await connection.sendRequest(
    CompletionResolveRequest.type,
    item,
  );
  expect(resolved.documentation).toMatchObject({
    value: "A doc comment that contains text.",
  });
  const hover = await connection.sendRequest(HoverRequest.type, {
    textDocument,
    position: editor.positionOf(path, "md-docs"),
  });
  expect(JSON.stringify(hover?.contents)).toContain("doc comment in Markdown");
  const links = await connection.sendRequest(DefinitionRequest.type, {
    textDocument,
    position: editor.positionOf(path, "part"),
  });
  expect(links).toMatchObject([{ targetUri: editor.uriOf("sql/part.hbs") }]);
  // Other programs format Handlebars.
  const edits = await connection.sendRequest(DocumentFormattingRequest.type, {
    textDocument,
    options: { tabSize: 2, insertSpaces: true },
  });
  expect(edits).toEqual([]);
  expect(await editor.end()).toBe(0);
});

test("registers for templates, and only for what it can do there", async () => {
  const run = startHere(process.cwd());
  const connection = connect(run);
  const registered = new Promise<readonly Registration[]>((resolve) =>
    connection.onRequest(RegistrationRequest.type, ({ registrations }) =>
      resolve(registrations),
    ),
  );
  const capabilities = {
    textDocument: { synchronization: { dynamicRegistration: true } },
  };
  await connection.sendRequest("initialize", {
    processId: null,
    rootUri: null,
    capabilities,
  });
  await connection.sendNotification("initialized", {});
  const all = await registered;
  expect(all.map(({ method }) => method.split("/")[1])).toEqual(
    ["didOpen", "didChange", "didClose"].concat(
      ...["completion", "hover", "definition"],
    ),
  );
  for (const { registerOptions } of all) {
    expect(registerOptions).toMatchObject({
      documentSelector: [
        { scheme: "file", language: "handlebars" },
        { scheme: "file", pattern: "**/names.json" },
      ],
    });
  }
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  expect(await run.done).toBe(0);
});
