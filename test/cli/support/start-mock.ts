import { expect, onTestFinished } from "vitest";
import { createSandbox, type CommandResult } from "./sandbox.js";

/** A contract with all kinds of methods. */
export const schema = `
webrpc = v1
name = shop
version = v1.0.0

# The key of a customer.
type Key: string
  + header = X-Key
  + error = Unauthorized

error 1401 Unauthorized "who are you?" HTTP 401
error 1404 OrderNotFound "order not found" HTTP 404

struct Order
  - id: uint64
  - total: bigint
  - label: []byte
  - note?: string

service Shop
  @auth:"X-Key"
  - GetOrder(id: uint64) => (order: Order) errors OrderNotFound
  - Ping() => () errors OrderNotFound
  - Watch() => stream (order: Order)
  - GetPhoto() => (photo: file)
`;

/** A second host. */
export const other = `
webrpc = v1
name = depot
version = v1.0.0
basepath = "/{place}/rpc"

service Depot
  - CountItems() => (count: uint32)
`;

/** A running `ridl mock`. */
export interface Mocking {
  readonly url: string;
  readonly folders: readonly string[];
  readonly output: () => string;
  call(method: string, request?: object, headers?: object): Promise<Response>;
  stop(): Promise<CommandResult>;
}

/** Starts `ridl mock` for both hosts. Input: additional flags and files. */
export async function startMock(
  args: readonly string[] = [],
  files: Readonly<Record<string, string>> = {},
): Promise<Mocking> {
  const sandbox = createSandbox({
    "shop.ridl": schema,
    "depot.ridl": other,
    ...files,
  });
  const folders: string[] = [];
  let interrupt = (): void => {};
  let output = "";
  const paths = ["shop.ridl", "depot.ridl"];
  const ended = sandbox.run(["mock", ...paths, "--port", "0", ...args], {
    untilInterrupted: () => new Promise((resolve) => (interrupt = resolve)),
    onOutput: (text) => (output += text),
    patch: (system) => ({
      createTemporaryFolder: () => {
        const folder = system.createTemporaryFolder();
        folders.push(folder);
        return folder;
      },
    }),
  });
  const stop = (): Promise<CommandResult> => {
    interrupt();
    return ended;
  };
  onTestFinished(async () => void (await stop()));
  await expect.poll(() => output).toContain("Ctrl-C");
  const url = /http:\/\/[\w.:]+/u.exec(output)?.[0] ?? "";
  return {
    url,
    folders,
    output: () => output,
    call: (method, request = {}, headers = {}) =>
      fetch(`${url}/${method}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(request),
      }),
    stop,
  };
}
