import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createSandbox } from "../cli/support/sandbox.js";
import { listenForTest } from "../support/listen-for-test.js";
import { textOf } from "./program.js";

const page = "docs/guides/proxies.md";
const nginx = "/usr/sbin/nginx";

/** Writes the configuration of the page for a server at a port. */
function writeConfiguration(port = 8080): string {
  const sandbox = createSandbox();
  const { root } = sandbox;
  const lines = textOf(page, "proxy.conf")
    .replace("127.0.0.1:8080", `127.0.0.1:${port}`)
    .replace("listen 80;", `listen unix:${root}/socket;`);
  sandbox.write({
    "nginx.conf": `daemon off; pid ${root}/pid; error_log ${root}/error.log; events {}
      http { access_log off; client_body_temp_path ${root}/body;
        proxy_temp_path ${root}/proxy; fastcgi_temp_path ${root}/fastcgi;
        uwsgi_temp_path ${root}/uwsgi; scgi_temp_path ${root}/scgi;
        ${lines} }`,
  });
  return root;
}

test.skipIf(!existsSync(nginx))(
  "docs/guides/proxies.md has settings that nginx accepts",
  () => {
    const args = ["-t", "-c", join(writeConfiguration(), "nginx.conf")];
    const { status, stderr } = spawnSync(nginx, args, { encoding: "utf8" });
    expect(stderr).not.toContain("[emerg]");
    expect(status, stderr).toBe(0);
  },
);

test.skipIf(!existsSync(nginx))(
  "docs/guides/proxies.md passes on the port of the host over HTTP/1.1",
  async () => {
    const { port } = await listenForTest(
      createServer(({ headers, httpVersion }, response) => {
        response.end(`${headers.host} ${httpVersion}`);
      }),
    );
    const root = writeConfiguration(port);
    const child = spawn(nginx, ["-c", join(root, "nginx.conf")]);
    onTestFinished(async () => {
      child.kill();
      if (child.exitCode === null) await once(child, "close");
    });
    const ask = async (): Promise<string> => {
      const sent = request({
        socketPath: join(root, "socket"),
        headers: { host: "shop.example:8443" },
      }).end();
      const [response] = await once(sent, "response");
      let text = "";
      for await (const part of response) text += String(part);
      return text;
    };
    await expect.poll(ask).toBe("shop.example:8443 1.1");
  },
);
