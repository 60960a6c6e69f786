/**
 * Converts an `ipfs://` URI to a gateway URL, and returns other URIs unchanged.
 * Returns null if the path is invalid or escapes the gateway's `/ipfs/` folder.
 */
export function toGateway(uri: string, gateway: string): string | null {
  const [, path] = /^ipfs:\/\/(?:ipfs\/)?(.+)$/isu.exec(uri) ?? [];
  if (path === undefined) return uri;
  const root = `${gateway.replace(/\/+$/u, "")}/ipfs/`;
  if (!URL.canParse(root + path)) return null;
  const { href } = new URL(root + path);
  return href.startsWith(new URL(root).href) ? href : null;
}
