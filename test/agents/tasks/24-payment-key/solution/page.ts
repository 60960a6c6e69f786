import { isRpcError } from "@ridlkit/runtime/errors";
import { retry } from "@ridlkit/runtime/interceptors";
import { createPaymentsClient } from "./generated/client.js";

export interface Form {
  readonly to: string;
  readonly cents: number;
}

/** What the page needs to know. */
export interface PageOptions {
  /** The name of the customer who is signed in. */
  readonly customer: string;
  /** Returns the customer's current token. */
  readonly token: () => string;
  /** Outlives the page. All customers of this browser use it. */
  readonly storage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  readonly fetch: typeof globalThis.fetch;
}

/** A form that was sent, and has no answer yet. */
interface Draft extends Form {
  readonly id: string;
}

/** Creates the page with the form. */
export function createPage({ customer, fetch, storage, token }: PageOptions) {
  const payments = createPaymentsClient({
    baseUrl: "http://localhost",
    fetch,
    credentials: { token },
    use: [retry({ attempts: 3, backoffMs: 10 })],
  });
  const name = `payment of ${customer}`;

  function openDraft(): Draft | null {
    return JSON.parse(storage.getItem(name) ?? "null");
  }

  /** Removes a draft, unless another one has taken its place. */
  function removeDraft(id: string): void {
    if (openDraft()?.id === id) storage.removeItem(name);
  }

  return {
    /** Submits the form. Returns the receipt. */
    async submit({ to, cents }: Form): Promise<string> {
      const open = openDraft();
      if (open && (open.to !== to || open.cents !== cents)) {
        throw new Error(`the payment to ${open.to} has no answer yet`);
      }
      const id = open?.id ?? crypto.randomUUID();
      storage.setItem(name, JSON.stringify({ id, to, cents }));
      try {
        const { receipt } = await payments.pay(
          { to, cents },
          { idempotencyKey: id },
        );
        removeDraft(id);
        return receipt;
      } catch (error) {
        if (isRpcError(error, "OverLimit")) removeDraft(id);
        throw error;
      }
    },
  };
}
