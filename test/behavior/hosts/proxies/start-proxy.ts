import { spawn, type ChildProcess } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, connect } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A proxy that runs. */
export interface Proxy {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** A proxy in front of a server. */
export interface ProxyKind {
  readonly name: string;
  /** Whether it speaks HTTP/1.0 to the server. */
  readonly isHttp10: boolean;
  /** Whether it is a middleware of the server instead. */
  readonly isMiddleware?: boolean;
  readonly isInstalled: () => boolean;
  readonly start: (target: number) => Promise<Proxy>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = Object(server.address());
  server.close();
  await once(server, "close");
  return Number(port);
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const isOpen = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "close");
}

const nginx = "/usr/sbin/nginx";

/** Returns nginx with lines for the location of the server. */
const nginxWith = (
  name: string,
  isHttp10: boolean,
  lines: readonly string[],
): ProxyKind => ({
  name,
  isHttp10,
  isInstalled: () => existsSync(nginx),
  async start(target) {
    const folder = mkdtempSync(join(tmpdir(), "ridlkit-nginx-"));
    // Workers run as another user if a superuser starts them.
    chmodSync(folder, 0o755);
    const port = await freePort();
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (kind) => `${kind}_temp_path ${folder}/${kind};`,
    );
    const config = `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
      worker_processes 1; events {}
      http { access_log off; ${temporary.join(" ")}
        server { listen 127.0.0.1:${String(port)};
          location / { proxy_pass http://127.0.0.1:${String(target)}; ${lines.join(" ")} } } }`;
    writeFileSync(join(folder, "nginx.conf"), config);
    const words = ["-e", `${folder}/error.log`, "-c", `${folder}/nginx.conf`];
    const child = spawn(nginx, words, { stdio: "ignore" });
    while (!(await isListening(port))) await sleep(10);
    return {
      port,
      stop: async () => {
        await stopChild(child);
        rmSync(folder, { recursive: true });
      },
    };
  },
});

/** Starts a program that prints its port. */
export async function startProgram(
  command: string,
  ...words: readonly string[]
): Promise<readonly [ChildProcess, number]> {
  const child = spawn(command, words, {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [text] = (await once(child.stdout, "data")) as [Buffer];
  return [child, Number(/"port":(\d+)/u.exec(text.toString())?.[1])];
}

/** Returns a proxy that is a program on Node. */
const programOf = (name: string, file: string): ProxyKind => ({
  name,
  isHttp10: false,
  isInstalled: () => true,
  async start(target) {
    const path = join(import.meta.dirname, "programs", file);
    const words = [path, String(target)];
    const [child, port] = await startProgram(process.execPath, ...words);
    return { port, stop: () => stopChild(child) };
  },
});

const direct = {
  isHttp10: false,
  isInstalled: () => true,
  start: async (port: number) => ({ port, stop: async () => {} }),
};

/** The proxies behind which transfers are cut. */
export const proxies: readonly ProxyKind[] = [
  { ...direct, name: "none" },
  {
    ...direct,
    name: "`compression()` of Express",
    isMiddleware: true,
  },
  programOf("http-proxy", "http-proxy.js"),
  programOf("@fastify/reply-from", "reply-from.js"),
  nginxWith("nginx with its defaults", true, []),
  nginxWith("nginx with HTTP/1.1 and gzip", false, [
    "proxy_http_version 1.1;",
    'proxy_set_header Connection "";',
    "client_max_body_size 0; proxy_request_buffering off;",
    "gzip on; gzip_types *; gzip_min_length 1; gzip_proxied any;",
  ]),
];
