import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("serve.js", import.meta.url));

/**
 * Starts the server of a subject in its own process.
 *
 * Returns its `port` and two functions. `usage()` returns its CPU seconds and
 * its peak memory in MB so far, and `stop()` ends it.
 */
export async function startServer({ module }) {
  const child = fork(script, [module], {
    env: { ...process.env, NODE_ENV: "production" },
  });
  const hear = async () => (await once(child, "message"))[0];
  const { port } = await hear();
  return {
    port,
    usage: () => {
      child.send("usage");
      return hear();
    },
    stop: () => child.disconnect(),
  };
}
