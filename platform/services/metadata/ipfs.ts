/**
 * Converts an `ipfs://` URI to a gateway URL, and returns other URIs as they
 * are. Returns null if the path leaves the gateway's files.
 */
export function toGateway(uri: string, gateway: string): string | null {
  const [, path] = /^ipfs:\/\/(?:ipfs\/)?(.+)$/isu.exec(uri) ?? [];
  if (path === undefined) return uri;
  const root = `${gateway.replace(/\/+$/u, "")}/ipfs/`;
  if (!URL.canParse(root + path)) return null;
  const { href } = new URL(root + path);
  return href.startsWith(new URL(root).href) ? href : null;
}
