/** The answer is larger than the caller takes. */
type OnTooLarge = () => Response;

/**
 * Makes a `fetch` that holds an answer only up to a limit, and reads it to its
 * end before it settles. viem's own timeout ends with the head of an answer: a
 * body that never ends would hold its caller forever.
 */
export function createRpcFetch(
  maxBytes: number,
  onTooLarge: OnTooLarge,
): typeof fetch {
  return async (url, init) => {
    const { body, headers, status, statusText } = await fetch(url, init);
    const chunks: Uint8Array[] = [];
    let size = 0;
    // Leaving the loop early cancels the rest.
    for await (const chunk of body ?? []) {
      size += chunk.length;
      if (size > maxBytes) return onTooLarge();
      chunks.push(chunk);
    }
    return new Response(Buffer.concat(chunks), { headers, status, statusText });
  };
}

/** Answers as a node does when a contract reverts. */
export function revert(): Response {
  const error = { code: 3, message: "execution reverted: too large an answer" };
  return Response.json({ jsonrpc: "2.0", id: 0, error });
}
