import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSandbox } from "../cli/support/sandbox.js";
import { textOf } from "./program.js";

const page = "docs/guides/proxies.md";
const nginx = "/usr/sbin/nginx";

test.skipIf(!existsSync(nginx))(
  "docs/guides/proxies.md has settings that nginx accepts",
  () => {
    const sandbox = createSandbox();
    const { root } = sandbox;
    sandbox.write({
      "nginx.conf": `pid ${root}/pid; error_log ${root}/error.log; events {}
        http { access_log off; client_body_temp_path ${root}/body;
          proxy_temp_path ${root}/proxy; fastcgi_temp_path ${root}/fastcgi;
          uwsgi_temp_path ${root}/uwsgi; scgi_temp_path ${root}/scgi;
          server { listen unix:${root}/socket; ${textOf(page, "proxy.conf")} } }`,
    });
    const args = ["-t", "-c", join(root, "nginx.conf")];
    const { status, stderr } = spawnSync(nginx, args, { encoding: "utf8" });
    expect(stderr).not.toContain("[emerg]");
    expect(status, stderr).toBe(0);
  },
);
