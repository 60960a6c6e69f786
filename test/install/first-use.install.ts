import { beforeAll, describe, expect, test, type TestContext } from "vitest";
import { isSample } from "../support/draw-some.js";
import { followPage } from "./follow-page.js";
import { blocksBelow, textBelow } from "./pages.js";
import { startSession, type Trial } from "./session.js";

const quickStart = "docs/quick-start.md";
const frameworks = "docs/frameworks.md";

/** Returns items, or only the first and the last of them in a sample. */
function sampleOf<Item>(items: readonly Item[]): readonly Item[] {
  return isSample ? [...items.slice(0, 1), ...items.slice(-1)] : items;
}

let session: Trial;
/** The project from the quick start, created with npm. */
let project: Trial;

beforeAll(async () => {
  session = await startSession();
  project = await createProject(session.within("npm"));
});

/** Creates the project of the quick start in an empty folder. */
async function createProject(empty: Trial): Promise<Trial> {
  await empty.run(textBelow(quickStart, "Create a project", "sh"));
  const created = useFreePort(empty.within("my-api"));
  await created.run("npx ridlkit generate");
  return created;
}

/** Rewrites the files of `ridl init` to use the session's port. */
function useFreePort(trial: Trial): Trial {
  for (const path of ["server.ts", "client.ts"]) {
    trial.write({ [path]: trial.read(path) });
  }
  return trial;
}

/**
 * Installs a package, and returns the folder of its programs. Skips the test if
 * the package cannot be installed.
 */
async function tool({ skip }: TestContext, spec: string): Promise<string> {
  const trial = session.within(`tools/${spec.replaceAll(/\W/gu, "-")}`);
  trial.write({ "package.json": '{ "private": true }' });
  const { status, output } = await trial.attempt(`npm install ${spec}`);
  if (status !== 0) skip(`${spec} cannot be installed: ${output}`);
  return trial.path("node_modules/.bin");
}

/**
 * Calls the server with the generated client, once to get a result and once to
 * get an error.
 */
async function expectGreetings(
  trial: Trial,
  client = "node dist/client.js",
): Promise<void> {
  expect(await trial.run(`${client} Ada`)).toBe("Hello, Ada!\n");
  const { status, output } = await trial.attempt(`${client} Nobody`);
  expect(output).toContain("Nobody: nobody has that name\n");
  expect(status).toBe(1);
}

/** Versions of Node: that of the tests, and a newer one. */
const nodes = ["Node", "Node 24"] as const;

/** Creates a folder whose programs run on one of the versions. */
async function folderOn(
  node: (typeof nodes)[number],
  context: TestContext,
  name: string,
): Promise<Trial> {
  const isUsual = node === "Node";
  const programs = isUsual ? [] : [await tool(context, "node@24")];
  const trial = session.within(`${name} ${node}`, ...programs);
  const version = isUsual ? process.version : "v24.";
  expect(await trial.run("node --version")).toContain(version);
  return trial;
}

describe("the README", () => {
  test.for(nodes)("runs on %s", async (node, context) => {
    const trial = await folderOn(node, context, "readme");
    await followPage("README.md", trial, ({ language, text }) => {
      const isForContributors = text.includes("npm ci");
      return language !== "console" && !isForContributors;
    });
  });
});

describe("the quick start", () => {
  test.for(nodes)(
    "prints the output that the page shows on %s",
    async (node, context) => {
      const trial =
        node === "Node"
          ? project.copy("quick-start")
          : await createProject(await folderOn(node, context, "quick-start"));
      await trial.start(textBelow(quickStart, "Run it", "start"));
      const calls = textBelow(quickStart, "Run it", "sh");
      expect(await trial.run(calls)).toBe(
        textBelow(quickStart, "Run it", "text"),
      );

      // The server restarts after a change of a program.
      const handlers = trial.read("greeter.ts");
      trial.write({ "greeter.ts": handlers.replace("Hello", "Welcome") });
      await expect
        .poll(async () => (await trial.attempt(calls)).output)
        .toBe("Welcome, Ada!\n");
      trial.write({ "greeter.ts": handlers });
      await expect
        .poll(async () => (await trial.attempt(calls)).output)
        .toBe("Hello, Ada!\n");

      const failing = textBelow(quickStart, "See it fail", "sh").trim();
      const outputs: string[] = [];
      for (const command of failing.split("\n")) {
        outputs.push((await trial.attempt(command)).output);
      }
      const shown = textBelow(quickStart, "See it fail", "text");
      expect(outputs.join("")).toBe(shown);

      // Some machines do not have curl.
      if ((await trial.attempt("curl --version")).status !== 0) return;
      const answer = await trial.run(textBelow(quickStart, "Run it", "curl"));
      expect(`${answer}\n`).toBe(textBelow(quickStart, "Run it", "json"));
    },
  );

  test("shows the compiler's errors after a contract change", async () => {
    const heading = "Change the contract";
    const trial = project.copy("changed-contract");
    const [before = "", after = ""] = textBelow(quickStart, heading, "diff")
      .split("\n")
      .map((line) => line.slice(1));
    const contract = trial.read("schema/greeter.ridl");
    expect(contract).toContain(before);
    trial.write({ "schema/greeter.ridl": contract.replace(before, after) });
    await trial.run("npx ridlkit generate");
    const { output } = await trial.attempt("npx tsc");
    expect(output).toContain(textBelow(quickStart, heading, "text").trim());
  });

  test.for(
    sampleOf([
      ["pnpm", "pnpm"],
      ["yarn", "@yarnpkg/cli-dist"],
      ["bun", "bun"],
    ] as const),
  )("runs with %s", async ([name, spec], context) => {
    const empty = session.within(name, await tool(context, spec));
    const commands = textBelow(quickStart, "Other package managers", name);
    const [init = "", ...rest] = commands.trim().split("\n");
    const [, install = "", dev = "", call = ""] = rest;
    const printed = await empty.run(init);
    for (const command of rest) expect(printed).toContain(command);
    const trial = useFreePort(empty.within("my-api"));
    // Yarn takes a folder above for the project if that has a lock file.
    if (name === "yarn") trial.write({ "yarn.lock": "" });
    await trial.run(install);
    await trial.start(dev);
    await expectGreetings(trial, call.replace(" Ada", ""));
  });

  test("works in an existing project", async () => {
    const trial = session.within("existing");
    await trial.run("npm init -y");
    await trial.run(textBelow(quickStart, "In an existing project", "sh"));
    expect(trial.read("package.json")).toContain("@ridlkit/runtime");
  });
});

/** Returns the files in a section by path. */
function filesBelow(heading: string): Readonly<Record<string, string>> {
  const files = blocksBelow(frameworks, heading).filter(({ path }) =>
    path.includes("."),
  );
  return Object.fromEntries(files.map(({ path, text }) => [path, text]));
}

/** Changes the extension of relative imports in the project's own files. */
function writeImports(trial: Trial, extension: string): void {
  for (const path of ["greeter.ts", "client.ts"]) {
    const text = trial.read(path);
    const imports = /(?<=from "\..*)\.js(?=")/gu;
    trial.write({ [path]: text.replaceAll(imports, extension) });
  }
}

function post(url: string, name: string): Promise<Response> {
  return fetch(`${url}/rpc/Greeter/Greet`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name }),
  });
}

/** Requests the page of the Next.js template. */
async function expectPage(url: string): Promise<void> {
  const page = await (await fetch(`${url}/greet`)).text();
  expect(page).toContain("<h1>Hello, world!</h1>");
}

/**
 * Calls a server without a generated client, once to get a result and once to
 * get an error.
 */
async function expectAnswers(url: string): Promise<void> {
  const greet = async (name: string): Promise<unknown> =>
    (await post(url, name)).json();
  expect(await greet("Ada")).toEqual({ greeting: "Hello, Ada!" });
  expect(await greet("Nobody")).toMatchObject({ error: "Nobody", code: 1001 });
}

/** The TypeScript settings of create-next-app, except for plugins. */
const nextSettings = {
  compilerOptions: {
    target: "es2017",
    lib: ["dom", "dom.iterable", "esnext"],
    allowJs: true,
    skipLibCheck: true,
    strict: true,
    noEmit: true,
    esModuleInterop: true,
    module: "esnext",
    moduleResolution: "bundler",
    resolveJsonModule: true,
    isolatedModules: true,
    jsx: "react-jsx",
  },
  include: ["**/*.ts", "**/*.tsx"],
  exclude: ["node_modules"],
};

describe("a server", () => {
  test.for(sampleOf(["Express", "Fastify", "Hono"]))(
    "runs in %s",
    async (name) => {
      const trial = project.copy(name);
      await trial.run(textBelow(frameworks, name, "sh"));
      trial.write(filesBelow(name));
      await trial.run("npx tsc");
      await trial.start("node dist/server.js");
      await expectGreetings(trial);
    },
  );

  test.for(["Bun", "Deno"])("runs on %s", async (name, context) => {
    const trial = project.copy(name, await tool(context, name.toLowerCase()));
    const files = filesBelow(name);
    trial.write(files);
    if ("ridl.config.yaml" in files) {
      await trial.run("npx ridlkit generate");
      writeImports(trial, ".ts");
    }
    await trial.start(textBelow(frameworks, name, "start"));
    const call = textBelow(frameworks, name, "call").trim();
    await expectGreetings(trial, call.replace(/ Ada$/u, ""));
  });

  test.skipIf(isSample)("runs in Next.js", async () => {
    const trial = session.within("next");
    trial.write({
      "package.json": '{ "private": true }',
      "tsconfig.json": JSON.stringify(nextSettings),
      "app/layout.tsx": `export default function Layout({ children }: { children: React.ReactNode }) {
  return <html><body>{children}</body></html>;
}
`,
      "app/page.tsx": `export default function Page() {
  return <h1>Hello</h1>;
}
`,
    });
    await trial.run("npm install next react react-dom");
    await trial.run("npm install -D typescript@5.9 @types/react @types/node");
    await trial.run(textBelow(quickStart, "In an existing project", "sh"));
    expect(trial.read("app/rpc/[...path]/route.ts")).toBe(
      filesBelow("Next.js")["app/rpc/[...path]/route.ts"],
    );
    await trial.run("npx ridlkit generate && npx next build");
    await trial.start("npx next start -p 8080");
    await expectAnswers(trial.url());
    await expectPage(trial.url());
  });

  test("runs in a new Next.js app, and follows its contract", async () => {
    const steps = textBelow(frameworks, "Next.js", "new").trim().split("\n");
    const [init = "", , install = "", dev = ""] = steps;
    const empty = session.within("next-new");
    await empty.run(init);
    const trial = empty.within("my-app");
    await trial.run(install);
    await trial.start(`PORT=8080 ${dev}`);
    await expectAnswers(trial.url());
    await expectPage(trial.url());
    const greet = async (): Promise<unknown> => {
      const response = await post(trial.url(), "Ada").catch(() => null);
      return response?.json().catch(() => null);
    };
    const handlers = trial.read("app/greeter.ts");
    trial.write({ "app/greeter.ts": handlers.replace("Hello", "Welcome") });
    await expect.poll(greet).toEqual({ greeting: "Welcome, Ada!" });
    const contract = trial.read("schema/greeter.ridl");
    trial.write({
      "schema/greeter.ridl": contract.replace(
        "maxLength = 100",
        "maxLength = 2",
      ),
    });
    await expect
      .poll(greet)
      .toMatchObject({ cause: expect.stringContaining("1 to 2 characters") });
    await trial.run("npx tsc --noEmit");
  });

  test("answers calls through Vite, next to a built React page", async () => {
    const heading = "React with Vite";
    const trial = project.copy("vite");
    await trial.run(textBelow(frameworks, heading, "sh"));
    trial.write(filesBelow(heading));
    await trial.run("npx tsc");
    await trial.start("node dist/server.js");
    await trial.start(textBelow(frameworks, heading, "start"));
    await expectAnswers(trial.url("4173"));
    const page = await (await fetch(trial.url("4173"))).text();
    const [, script = ""] = /src="([^"]+\.js)"/u.exec(page) ?? [];
    const bundle = await fetch(new URL(script, trial.url("4173")));
    expect(await bundle.text()).toContain("/Greeter/Greet");
  });
});

describe("a project", () => {
  test.for(sampleOf(["5.4", "5.9", "7"]))(
    "compiles with TypeScript %s",
    async (version) => {
      const trial = project.copy(`typescript-${version}`);
      await trial.run(`npm install -D typescript@${version}`);
      expect(await trial.run("npx tsc --version")).toContain(
        `Version ${version}.`,
      );
      await trial.run("npx tsc");
    },
  );

  test("can consist of CommonJS modules", async () => {
    const trial = project.copy("commonjs");
    // The client of the quick start awaits at the top level.
    await trial.run("npm pkg delete type && rm client.ts && npx tsc");
    expect(trial.read("dist/server.js")).toContain("require(");
    await trial.start("node dist/server.js");
    await expectAnswers(trial.url());
  });

  test("can be tested with Jest", async () => {
    const trial = project.copy("jest");
    await trial.run(textBelow(frameworks, "Jest", "sh"));
    trial.write(filesBelow("Jest"));
    trial.write({
      "greeter.test.ts": `import { inProcess } from "@ridlkit/runtime/in-process";
import { createGreeterClient } from "./generated/client.js";
import { greeter } from "./greeter.js";

test("greets", async () => {
  const client = createGreeterClient({ baseUrl: "", fetch: inProcess(greeter) });
  expect(await client.greet({ name: "Ada" })).toEqual({ greeting: "Hello, Ada!" });
});
`,
    });
    await trial.run("npx jest");
  });

  test.for(sampleOf(["20", "22", "24"]))(
    "runs on Node %s",
    async (version, context) => {
      const bin = (await tool(context, `node@${version}`)).replace(
        /\.bin$/u,
        "node/bin",
      );
      const trial = project.copy(`node-${version}`, bin);
      expect(await trial.run("node --version")).toMatch(`v${version}.`);
      const generated = await trial.attempt("npx ridlkit generate --force");
      expect(generated.output).toBe("8 files: 8 unchanged\n");
      await trial.run("npx tsc");
      await trial.start("node dist/server.js");
      await expectGreetings(trial);
    },
  );
});
