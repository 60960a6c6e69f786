import { spawnSync, execFile } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  afterAll,
  beforeAll,
  describe,
  expect,
  onTestFinished,
  test,
} from "vitest";
import { printCurl } from "../../apps/explorer/calls/curl.js";
import { printFetch } from "../../apps/explorer/calls/fetch-call.js";
import { printGo } from "../../apps/explorer/calls/go-call.js";
import { parseJson } from "../../apps/explorer/calls/json-text.js";
import { printPython } from "../../apps/explorer/calls/python-call.js";
import { createRequest } from "../../apps/explorer/calls/request.js";
import {
  answerKindOf,
  planCall,
  type SnippetInput,
} from "../../apps/explorer/calls/snippet-request.js";
import { toNodeHandler } from "../../runtime/typescript/hosts/node/node.js";
import { createRooms } from "../browser/rooms.js";
import { listen, type Listening } from "../support/listen.js";
import { connectionOf, entryOf, goldenModel } from "./sample-models.js";

const model = goldenModel("explorer");
const rooms = createRooms();
const odd =
  'it\'s "$HOME" `id` ${x} \\ \n\t é😀 \u2028\u202e\u{e0041} %s </script>';
const files = [
  ["picture", new File([], `it's "a".png`)],
  ["others", new File([], "b c.txt")],
] as const;

let folder = "";
let server: Listening;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ridlkit-snippets-"));
  for (const [, { name }] of files) writeFileSync(join(folder, name), "hello");
  server = await listen(createServer(toNodeHandler(rooms.server)));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The result of running a snippet. */
interface RunResult {
  readonly status: number;
  readonly output: string;
}

/** A language and the command that runs its snippets. */
interface Language {
  readonly name: string;
  /** The program that must be installed to run the snippets. */
  readonly program: string;
  readonly print: (input: SnippetInput) => string;
  readonly run: (text: string, name: string) => Promise<RunResult>;
}

function run(program: string, args: readonly string[]): Promise<RunResult> {
  const options = {
    cwd: folder,
    env: {
      ...process.env,
      TOKEN: "let-me-in",
      no_proxy: "*",
      GOFLAGS: "-mod=mod",
    },
  };
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve({
        status: typeof error?.code === "number" ? error.code : 0,
        output: stdout + stderr,
      }),
    );
  });
}

function runFile(program: string, ending: string) {
  return (text: string, name: string): Promise<RunResult> => {
    writeFileSync(join(folder, `${name}.${ending}`), text);
    return run(program, [`${name}.${ending}`]);
  };
}

const languages: readonly Language[] = [
  {
    name: "curl",
    program: "curl",
    print: ({ entry, model, request, showsKeys }) =>
      printCurl(request, { answer: answerKindOf(model, entry), showsKeys }),
    run: (text) => run("sh", ["-c", text]),
  },
  {
    name: "fetch",
    program: "node",
    print: (input) => printFetch(planCall(input)),
    run: runFile("node", "mjs"),
  },
  {
    name: "Python",
    program: "python3",
    print: (input) => printPython(planCall(input)),
    run: runFile("python3", "py"),
  },
  {
    name: "Go",
    program: "go",
    print: (input) => printGo(planCall(input)),
    run: (text, name) => {
      mkdirSync(join(folder, name), { recursive: true });
      writeFileSync(join(folder, name, "main.go"), text);
      return run("go", ["run", `${name}/main.go`]);
    },
  },
];

/** Starts a server for the current test. */
async function serve(listener: RequestListener): Promise<string> {
  const { close, url } = await listen(createServer(listener));
  onTestFinished(close);
  return url;
}

function inputOf(
  id: string,
  json: string,
  showsKeys: boolean,
  url: string,
): SnippetInput {
  const entry = entryOf(model, id);
  const connection = connectionOf(
    { rooms: url },
    { region: "eu" },
    { Authorization: "let-me-in" },
  );
  const parsed = parseJson(json);
  if (!parsed.isValid) expect.unreachable(parsed.problem);
  const message = parsed.node;
  const request = createRequest(model, entry, message, files, connection);
  expect(request.problems).toEqual([]);
  return { model, entry, message, request, connection, showsKeys };
}

const message = {
  room: "lobby",
  message: {
    id: 18446744073709551615n,
    text: odd,
    answers: [{ id: 0n, text: "x", parent: null }],
    parent: null,
  },
  mood: "grumpy",
  urgency: "HIGH",
  secret: odd,
  old: true,
  at: new Date("2026-01-31T12:00:00Z"),
  reward: 123456789012345678901234567890n,
  data: new Uint8Array([1, 2]),
  extra: { a: [1, -0.5, null, true, false, "`"] },
  ratio: 0.25,
  counts: { LOW: [-9223372036854775808n, 9007199254740993n], HIGH: [] },
};
const messageJson = `{"room":"lobby","message":{"id":18446744073709551615,"text":${JSON.stringify(odd)},
  "answers":[{"id":0,"text":"x","parent":null}],"parent":null},"mood":"grumpy","urgency":"HIGH",
  "secret":${JSON.stringify(odd)},"old":true,"at":"2026-01-31T12:00:00Z",
  "reward":"123456789012345678901234567890","data":"AQI=",
  "extra":{"a":[1,-0.5,null,true,false,"\`"]},"ratio":0.25,
  "counts":{"LOW":[-9223372036854775808,9007199254740993],"HIGH":[]}}`;

describe.each(languages)("$name", ({ name, print, program, run }) => {
  const isThere =
    spawnSync(program, [program === "go" ? "version" : "--version"]).status ===
    0;
  if (!isThere) console.warn(`skipping ${name}: ${program} is not installed`);
  const call = (
    id: string,
    json: string,
    showsKeys = false,
    url = server.url,
  ): Promise<RunResult> =>
    run(
      print(inputOf(id, json, showsKeys, url)),
      `${id.replace(".", "-")}-${showsKeys}`,
    );

  test.skipIf(!isThere).each([true, false])(
    "sends every kind of value, with keys included in the snippet: %j",
    async (showsKeys) => {
      const { output, status } = await call(
        "Rooms.Say",
        messageJson,
        showsKeys,
      );
      expect([status, output]).toEqual([
        0,
        expect.stringContaining("18446744073709551615"),
      ]);
      expect(rooms.received.at(-1)).toEqual(message);
    },
  );

  test.skipIf(!isThere)("reads with GET", async () => {
    const found = await call(
      "Rooms.Find",
      '{"names":["a","b-c"],"level":"HIGH"}',
    );
    expect(found.status).toBe(0);
    expect(rooms.received.at(-1)).toEqual({
      names: ["a", "b-c"],
      level: "HIGH",
    });
  });

  test.skipIf(!isThere)("prints each item of a stream", async () => {
    const { output, status } = await call("Rooms.Listen", '{"room":"lobby"}');
    expect(status).toBe(0);
    for (const text of ["m1", "m2", "m3"]) expect(output).toContain(text);
  });

  test.skipIf(!isThere)("reports errors from the server", async () => {
    const json = messageJson.replace('"lobby"', '"none"');
    const { output, status } = await call("Rooms.Say", json);
    expect(output).toContain("NoSuchRoom");
    expect(status).toBe(name === "curl" ? 0 : 1);
  });

  test.skipIf(!isThere)("follows no redirects", async () => {
    const urls: unknown[] = [];
    const url = await serve((request, response) => {
      urls.push(request.url);
      if (urls.length === 1) response.writeHead(307, { location: "/other" });
      response.end("{}");
    });
    const { status } = await call("Rooms.Say", messageJson, false, url);
    expect(urls).toEqual(["/eu/rpc/Rooms/Say"]);
    expect(status).toBe(name === "curl" ? 0 : 1);
  });

  test.skipIf(!isThere)("saves no file for an error", async () => {
    const url = await serve((_, response) => {
      response.writeHead(500).end("failed");
    });
    const { status } = await call("Rooms.Download", '{"room":"a"}', false, url);
    expect(status).toBe(name === "curl" ? 22 : 1);
    const names = readdirSync(folder);
    expect(names).not.toContain("Download");
    expect(names).not.toContain("response.bin");
  });

  test.skipIf(!isThere)("sends and saves files", async () => {
    const { output, status } = await call("Rooms.Upload", '{"room":"lobby"}');
    expect([status, output]).toEqual([0, expect.stringMatching(/size\W+5/u)]);
    expect(rooms.received.at(-1)).toEqual(["lobby", `it's "a".png`, 5, 1]);
    expect(await call("Rooms.Download", '{"room":"lobby"}')).toMatchObject({
      status: 0,
    });
    const saved = name === "curl" ? "gr__e of lobby.txt" : "response.bin";
    expect(readFileSync(join(folder, saved), "utf8")).toBe("hello");
    rmSync(join(folder, saved));
  });
});
