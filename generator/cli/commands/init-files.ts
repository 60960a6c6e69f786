/** A file of a new project. */
export interface InitialFile {
  readonly path: string;
  readonly text: string;
}

/** The contract, its configuration, and the two sides of it. */
export function firstProject(): readonly InitialFile[] {
  return [
    { path: "ridl.config.yaml", text: config },
    { path: "schema/greeter.ridl", text: contract },
    { path: "server.ts", text: server },
    { path: "client.ts", text: client },
  ];
}

/** What npm and TypeScript need, where a project does not have it yet. */
export function firstSetup(
  name: string,
  version: string,
): readonly InitialFile[] {
  return [
    { path: "package.json", text: printPackage(name, version) },
    { path: "tsconfig.json", text: tsconfig },
    { path: ".gitignore", text: gitignore },
  ];
}

const config = `# yaml-language-server: $schema=node_modules/ridlkit/config.schema.json
schema:
  - schema/*.ridl
out: generated
`;

const contract = `webrpc = v1

name = greeter
version = v0.1.0
basepath = /rpc

# Nobody of that name can be greeted.
error 1001 Nobody "there is nobody of that name" HTTP 404

# What somebody is called.
type Name: string
  + minLength = 1
  + maxLength = 100

# Says hello.
service Greeter
  # Greets somebody by name.
  @readonly
  - Greet(name: Name) => (greeting: string) errors Nobody
`;

const server = `import { createServer } from "node:http";
import { toNodeHandler } from "@ridlkit/runtime/node";
import { NobodyError } from "./generated/errors.js";
import { createGreeterServer } from "./generated/server.js";

const server = createGreeterServer({
  handlers: {
    greeter: {
      greet({ name }) {
        if (name === "Nobody") throw new NobodyError();
        return { greeting: \`Hello, \${name}!\` };
      },
    },
  },
});

createServer(toNodeHandler(server))
  .on("error", (error) => {
    console.error(\`The server cannot start: \${error.message}\`);
    process.exitCode = 1;
  })
  .listen(8080, () => {
    console.log("Greeter listens at http://localhost:8080");
  });
`;

const client = `import { createGreeterClient } from "./generated/client.js";

const greeter = createGreeterClient({ baseUrl: "http://localhost:8080" });

const { greeting } = await greeter.greet({ name: process.argv[2] ?? "world" });
console.log(greeting);
`;

const gitignore = `node_modules/
dist/
`;

const tsconfig = `{
  "compilerOptions": {
    "target": "es2022",
    "module": "nodenext",
    "types": ["node"],
    "strict": true,
    "allowJs": true,
    "skipLibCheck": true,
    "noEmitOnError": true,
    "outDir": "dist"
  },
  "include": ["*.ts", "generated"]
}
`;

function printPackage(name: string, version: string): string {
  const data = {
    name,
    private: true,
    type: "module",
    scripts: {
      generate: "ridl generate",
      start: "ridl generate && tsc && node dist/server.js",
    },
    dependencies: { "@ridlkit/runtime": `^${version}` },
    devDependencies: {
      "@types/node": "^20.19.0",
      ridlkit: `^${version}`,
      typescript: "^5.9.0",
    },
  };
  return `${JSON.stringify(data, null, 2)}\n`;
}
