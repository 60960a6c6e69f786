import { isIP } from "node:net";

/**
 * Returns a check of the `Host` header that prevents DNS rebinding. In such an
 * attack, a page makes its own host name resolve to this server's address, so
 * that the browser treats the server as the same origin. The check therefore
 * accepts only the server's own names, and IP addresses, which no name server
 * can redirect.
 *
 * Input: names without ports, e.g. `console.example.com`.
 */
export function createHostCheck(
  names: readonly string[],
): (header: string | undefined) => boolean {
  const known = new Set([
    "localhost",
    ...names.map((name) => name.toLowerCase()),
  ]);
  return (header = "") => {
    const name = header.replace(/:\d*$/u, "").toLowerCase();
    const address = /^\[(.*)\]$/u.exec(name)?.[1] ?? name;
    return isIP(address) !== 0 || known.has(name);
  };
}
