import type {
  AnswerStore,
  IdempotencyOptions,
} from "../../runtime/typescript/server/idempotency.js";
import type { RpcServer } from "../../runtime/typescript/server/server.js";
import { RpcError } from "../../runtime/typescript/wire/errors.js";
import type { Exports } from "./conformance/conformance-server.js";
import { type Listening, listen } from "../support/listen.js";
import { createServer } from "node:http";
import { toNodeHandler } from "../../runtime/typescript/hosts/node/node.js";
import { loadGenerated, readContract } from "./load-contract.js";

const document = "idempotency.ridl";

/** Returns whom a token belongs to. A renewed token has another number. */
function userOf(token: string): string {
  return token.split(" ")[0] ?? "";
}

/** A contract with idempotency keys. */
export const idempotencyContract = readContract(document);

/** The options of the servers that the cases call. */
const limits: IdempotencyOptions = {
  maxAnswerLength: 2000,
  keepsError: (name) => name !== "Locked",
};

/** Starts a server of the contract, whose orders begin with a name. */
export async function serveIdempotency(
  store: AnswerStore,
  name = "TypeScript",
): Promise<Listening> {
  const also = ["@ridlkit/runtime/idempotency"];
  const exports = await loadGenerated(document, also);
  const idempotency = exports["idempotency"] as (
    store: AnswerStore,
    options: IdempotencyOptions,
  ) => object;
  const create = exports["createOrdersServer"] as (
    options: object,
  ) => RpcServer;
  const server = create({
    handlers: { orders: new Orders(exports, name) },
    idempotency: idempotency(store, limits),
    createState: () => ({ user: null }),
    verifyToken: (token: string, context: { state: object }) => {
      Object.assign(context.state, { user: userOf(token) });
      return token !== "wrong";
    },
    caller: ({ state }: { state: { user: string } }) => state.user,
    onError: () => undefined,
  });
  return listen(createServer(toNodeHandler(server)));
}

/** What a call waits for. */
interface Gate {
  readonly promise: Promise<void>;
  readonly open: () => void;
}

/** The handlers, which do what the SKU says. */
class Orders {
  readonly #errors: Exports;
  readonly #name: string;
  readonly #runs = new Map<string, number>();
  readonly #gates = new Map<string, Gate>();

  constructor(errors: Exports, name: string) {
    this.#errors = errors;
    this.#name = name;
  }

  async order({ sku }: { sku: string }): Promise<object> {
    const run = this.#count(sku);
    const [how] = sku.split(" ");
    if (how === "waits") {
      await this.#gateOf(sku).promise;
    }
    if (how === "long") return { orderId: "x".repeat(3000) };
    const fault = this.#faultOf(how ?? "", run);
    if (fault !== null) throw fault;
    return { orderId: `${this.#name}: ${sku}, run ${run}` };
  }

  addNote(request: { orderId: string }): object {
    const run = this.#count(request.orderId);
    return { orderId: `${this.#name}: ${request.orderId}, run ${run}` };
  }

  touch({ sku }: { sku: string }): void {
    if (this.#count(sku) > 1) throw new Error("it has run twice");
  }

  pay({ sku }: { sku: string }): object {
    return { orderId: `${this.#name}: ${sku}, run ${this.#count(sku)}` };
  }

  release({ sku }: { sku: string }): void {
    this.#gateOf(sku).open();
  }

  countRuns({ sku }: { sku: string }): object {
    return { count: this.#runs.get(sku) ?? 0 };
  }

  #gateOf(sku: string): Gate {
    const known = this.#gates.get(sku);
    if (known !== undefined) return known;
    let open: Gate["open"] = () => undefined;
    const promise = new Promise<void>((resolve) => (open = resolve));
    const gate = { promise, open: () => open() };
    this.#gates.set(sku, gate);
    return gate;
  }

  #count(sku: string): number {
    const run = (this.#runs.get(sku) ?? 0) + 1;
    this.#runs.set(sku, run);
    return run;
  }

  #faultOf(how: string, run: number): Error | null {
    const create = (name: string, options: object): Error =>
      Reflect.construct(this.#errors[name] as () => void, [options]) as Error;
    if (how === "sold-out")
      return create("SoldOutError", { data: { left: 3 } });
    if (how === "locked") return create("LockedError", { cause: `run ${run}` });
    if (how === "unkept") {
      if (run === 1) return new Error("lost");
      if (run === 2) return create("BusyError", {});
      if (run === 3) {
        const name = "WebrpcRequestFailed";
        const error = { name, code: -1, message: "failed", status: 400 };
        return new RpcError(error);
      }
    }
    return null;
  }
}
