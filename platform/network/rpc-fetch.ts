/** Creates the response to return if the original is too large. */
type OnTooLarge = () => Response;

/**
 * Creates a `fetch` that limits the size of a response and reads all of it
 * before it resolves. viem's own timeout only covers the headers, so a body
 * that never ends would block the caller forever.
 */
export function createRpcFetch(
  maxBytes: number,
  onTooLarge: OnTooLarge,
): typeof fetch {
  return async (url, init) => {
    const { body, headers, status, statusText } = await fetch(url, init);
    const chunks: Uint8Array[] = [];
    let size = 0;
    // Leaving the loop early cancels the rest of the body.
    for await (const chunk of body ?? []) {
      size += chunk.length;
      if (size > maxBytes) return onTooLarge();
      chunks.push(chunk);
    }
    return new Response(Buffer.concat(chunks), { headers, status, statusText });
  };
}

/** Creates the response that a node sends if a contract call reverts. */
export function revert(): Response {
  const error = {
    code: 3,
    message: "execution reverted: the response is too large",
  };
  return Response.json({ jsonrpc: "2.0", id: 0, error });
}
