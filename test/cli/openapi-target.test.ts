import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createSandbox } from "./support/sandbox.js";

const orders = `webrpc = v1
name = orders
version = v1.0.0
basepath = "/{network}/rpc"

service Orders
  - Ping()
  @get:"/items/{id}"
  - GetItem(id: string) => (name: string)
`;
const stock = orders
  .replace("name = orders", "name = stock")
  .replace("service Orders", "service Stock")
  .replaceAll("id: ", "key: ")
  .replace("{id}", "{key}");

/** Creates a project with two hosts that both have `GET /items/{…}`. */
function shopWith(settings: string, second = stock) {
  return createSandbox({
    "orders.ridl": orders,
    "stock.ridl": second,
    "ridl.config.yaml": `schema: [orders.ridl, stock.ridl]\n${settings}`,
  });
}

describe("one OpenAPI document for several hosts", () => {
  test("is rejected if two hosts have the same path", async () => {
    const sandbox = shopWith("emit:\n  - openapi:\n      merge: true\n");
    const { exitCode, stderr } = await sandbox.run(["generate"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      "error[merged-paths]: hosts `orders` and `stock` both have `GET /items/{key}`, but an OpenAPI document can contain it only once",
    );
    expect(stderr).toContain("ridl.config.yaml:4:7");
    expect(stderr).not.toContain("also in more than one host");
    expect(sandbox.has("generated")).toBe(false);
  });

  test("is rejected with a list of all paths that the hosts share", async () => {
    const sandbox = shopWith(
      "emit: [openapi: { merge: true }]\n",
      stock
        .replace('basepath = "/{network}/rpc"', 'basepath = "/{chain}"')
        .replace("service Stock", "service rpc/Orders"),
    );
    const { stderr } = await sandbox.run(["generate"]);
    expect(stderr).toContain("both have `POST /{chain}/rpc/Orders/Ping`");
    expect(stderr).toContain("also in more than one host: `GET /items/{key}`");
  });

  test("keeps both operations if only their HTTP methods differ", async () => {
    const sandbox = shopWith(
      "emit: [openapi: { merge: true, addresses: { orders: 'https://a.example.com', stock: 'https://b.example.com' } }]\n",
      stock.replace("/items/{key}", "/{key}/rpc/Orders/Ping"),
    );
    expect(await sandbox.run(["generate"])).toMatchObject({ exitCode: 0 });
    const { paths } = parse(sandbox.read("generated/openapi.yaml"));
    expect(paths["/{network}/rpc/Orders/Ping"]).toMatchObject({
      post: {
        operationId: "Orders_Ping",
        parameters: [{ name: "network" }],
        servers: [{ url: "https://a.example.com" }],
      },
      get: {
        operationId: "Stock_GetItem",
        parameters: [{ name: "network" }],
        servers: [{ url: "https://b.example.com" }],
      },
    });
  });
});

test.each(["docs", "openapi"])(
  "%s rejects an unknown parameter",
  async (setting) => {
    const sandbox = shopWith(
      `emit:\n- ${setting}:\n    parameters:\n      netwrok: x\n`,
    );
    const { exitCode, stderr } = await sandbox.run(["generate"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      `error[unknown-parameter]: \`${setting}.parameters\` names \`netwrok\`, which is not a parameter of a base path or an address`,
    );
    expect(stderr).toContain("ridl.config.yaml:5:7");
    expect(stderr).toContain("did you mean `network`?");
  },
);

test("accepts values for the parameters of configured addresses", async () => {
  const sandbox = shopWith(
    "emit: [openapi: { addresses: { stock: 'https://{region}.example.com' }, parameters: { region: eu, network: test } }]\n",
  );
  expect(await sandbox.run(["generate"])).toMatchObject({ exitCode: 0 });
  expect(sandbox.read("generated/stock/openapi.yaml")).toContain("default: eu");
});
