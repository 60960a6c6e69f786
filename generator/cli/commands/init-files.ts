/** A file of a new project. */
export interface InitialFile {
  readonly path: string;
  readonly text: string;
}

/** Returns the contract, configuration, handlers, server and client. */
export function firstProject(): readonly InitialFile[] {
  return [
    { path: "ridl.config.yaml", text: config },
    { path: "schema/greeter.ridl", text: contract },
    { path: "greeter.ts", text: handlers },
    { path: "server.ts", text: server },
    { path: "client.ts", text: client },
  ];
}

/** Returns package.json, tsconfig.json, and .gitignore. */
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

# No person has this name.
error 1001 Nobody "nobody has that name" HTTP 404

# A person's name.
type Name: string
  + minLength = 1
  + maxLength = 100

# Greets people.
service Greeter
  # Greets a person by name.
  @readonly
  - Greet(name: Name) => (greeting: string) errors Nobody
`;

const handlers = `import { NobodyError } from "./generated/errors.js";
import { createGreeterServer } from "./generated/server.js";

export const greeter = createGreeterServer({
  handlers: {
    greeter: {
      greet({ name }) {
        if (name === "Nobody") throw new NobodyError();
        return { greeting: \`Hello, \${name}!\` };
      },
    },
  },
});
`;

const server = `import { createServer } from "node:http";
import { toNodeHandler } from "@ridlkit/runtime/node";
import { greeter } from "./greeter.js";

createServer(toNodeHandler(greeter))
  .on("error", (error) => {
    console.error(\`The server cannot start: \${error.message}\`);
    process.exitCode = 1;
  })
  .listen(8080, () => {
    console.log("Greeter listens on http://localhost:8080");
  });
`;

const client = `import { createGreeterClient } from "./generated/client.js";

const greeter = createGreeterClient({ baseUrl: "http://localhost:8080" });

const result = await greeter.greet.result({ name: process.argv[2] ?? "world" });
if (result.ok) console.log(result.value.greeting);
else {
  console.error(\`\${result.error.name}: \${result.error.message}\`);
  process.exitCode = 1;
}
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
