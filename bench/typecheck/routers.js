import { writeZod } from "../generation/contract/zod.js";
import { versionOf } from "../harness/machine.js";
import { lower } from "./names.js";

const none = '() => { throw new Error("none"); }';

/**
 * Routers whose types are the contract. Users write the routers, so the compiler
 * checks them together with the client.
 */
export const routers = [
  orpc("orpc-server-2", "orpc-client-2", '"/rpc"'),
  orpc("@orpc/server", "@orpc/client", '"https://api.example.com/rpc"'),
  {
    name: `tRPC ${versionOf("@trpc/server")}`,
    files: (contract) => [
      [
        "trpc.ts",
        `import { initTRPC } from "@trpc/server";
const t = initTRPC.create();
export const router = t.router;
export const procedure = t.procedure;
`,
      ],
      ...writeRouters(contract, {
        imports: 'import { procedure, router } from "./trpc.js";',
        router: (members) => `router({\n${members}})`,
        procedure: ({ request, response }) =>
          `procedure.input(schemas.${request}).output(schemas.${response}).mutation(${none})`,
      }),
    ],
    client: () => `import { createTRPCClient, httpLink } from "@trpc/client";
import type { AppRouter } from "./router.js";
const client = createTRPCClient<AppRouter>({
  links: [httpLink({ url: "https://api.example.com" })],
});`,
    method: ({ service, method }) =>
      `client.${lower(service)}.${lower(method.name)}.mutate`,
  },
  {
    name: `Hono ${versionOf("hono")}`,
    files: ({ services }) => services.flatMap(writeHono),
    // One client for each part, as Hono's guide for large applications advises.
    client: (_, used) => `import { hc } from "hono/client";
${used.map((name) => `import type { ${name} } from "./${lower(name)}.js";\n`).join("")}
const client = {
${used.map((name) => `  ${lower(name)}: hc<${name}>("https://api.example.com/${name}"),\n`).join("")}};`,
    method: ({ service, method }) =>
      `client.${lower(service)}.${method.name}.$post`,
    input: (callee) => `Parameters<typeof ${callee}>[0]["json"]`,
    call: (callee) => `const answer = await ${callee}({ json: input });
  if (!answer.ok) throw new Error(await answer.text());
  const response = await answer.json();`,
  },
];

function orpc(server, client, url) {
  return {
    name: `oRPC ${versionOf(server)}`,
    files: (contract) =>
      writeRouters(contract, {
        imports: `import { os } from "${server}";`,
        router: (members) => `{\n${members}}`,
        procedure: ({ request, response }) =>
          `os.input(schemas.${request}).output(schemas.${response}).handler(${none})`,
      }),
    client: () => `import { createORPCClient } from "${client}";
import { RPCLink } from "${client}/fetch";
import type { RouterClient } from "${server}";
import type { AppRouter } from "./router.js";
const client: RouterClient<AppRouter> = createORPCClient(
  new RPCLink({ url: ${url} }),
);`,
    method: ({ service, method }) =>
      `client.${lower(service)}.${lower(method.name)}`,
  };
}

/** Returns a router for each service, and one that contains them all. */
function writeRouters({ services }, { imports, router, procedure }) {
  const parts = services.flatMap((service) => {
    const name = lower(service.name);
    const members = service.methods.map(
      (method) => `  ${lower(method.name)}: ${procedure(method)},\n`,
    );
    return [
      [`${name}-schemas.ts`, writeZod(service)],
      [
        `${name}.ts`,
        `${imports}
import * as schemas from "./${name}-schemas.js";

export const ${name} = ${router(members.join(""))};
`,
      ],
    ];
  });
  const names = services.map(({ name }) => lower(name));
  const root = `${imports}
${names.map((name) => `import { ${name} } from "./${name}.js";\n`).join("")}
export const appRouter = ${router(names.map((name) => `  ${name},\n`).join(""))};
export type AppRouter = typeof appRouter;
`;
  return [...parts, ["router.ts", root]];
}

function writeHono(service) {
  const name = lower(service.name);
  const routes = service.methods.map(
    ({ name: method, request, response }) =>
      `  .post("/${method}", zValidator("json", schemas.${request}), (context) =>
    context.json(answer(schemas.${response})))`,
  );
  return [
    [`${name}-schemas.ts`, writeZod(service)],
    [
      `${name}.ts`,
      `import { zValidator } from "@hono/zod-validator";
import { Hono } from "hono";
import type { z } from "zod";
import * as schemas from "./${name}-schemas.js";

function answer<Schema extends z.ZodType>(_: Schema): z.output<Schema> {
  throw new Error("none");
}

export const ${name} = new Hono()
${routes.join("\n")};
export type ${service.name} = typeof ${name};
`,
    ],
  ];
}
