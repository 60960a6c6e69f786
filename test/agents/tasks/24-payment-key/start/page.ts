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

/** Creates the page with the form. */
export function createPage({ fetch, token }: PageOptions) {
  const payments = createPaymentsClient({
    baseUrl: "http://localhost",
    fetch,
    credentials: { token },
  });
  return {
    /** Submits the form. Returns the receipt. */
    async submit({ to, cents }: Form): Promise<string> {
      const { receipt } = await payments.pay({ to, cents });
      return receipt;
    },
  };
}
