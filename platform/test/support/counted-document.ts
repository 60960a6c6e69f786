import { openSiteForTest } from "./local-site.js";
import { putStringContract } from "./plain-contract.js";

/**
 * Opens a contract whose tokens share one document. The document's server counts
 * reads. After `hold`, it does not respond to new ones until the function that
 * `hold` returns is called. If `held` is set to null, it responds to later ones.
 */
export async function openCountedDocument(rpcUrl: string) {
  const state = {
    reads: 0,
    status: 200,
    held: null as Promise<void> | null,
    description: "kept",
    onRead: (): void => undefined,
    hold(): () => void {
      let release = (): void => undefined;
      state.held = new Promise((resolve) => (release = resolve));
      return () => release();
    },
  };
  const site = await openSiteForTest(async (_, response) => {
    state.reads += 1;
    state.onRead();
    const name = `read ${state.reads}`;
    const { description, held, status } = state;
    const text = JSON.stringify({ name, description });
    await held;
    response.writeHead(status).end(text);
  });
  const contract = await putStringContract(rpcUrl, site.url);
  return { contract, state };
}
