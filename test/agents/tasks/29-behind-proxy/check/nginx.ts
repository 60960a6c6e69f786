import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";

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

/** Starts nginx with `shop.conf`, in front of the port of a server. */
export async function startNginx(target: number) {
  const port = await freePort();
  const shop = readFileSync("shop.conf", "utf8")
    .replaceAll(/\blisten [^;]+;/gu, `listen 127.0.0.1:${port};`)
    .replaceAll(/\b(?:127\.0\.0\.1|localhost):8080\b/gu, `127.0.0.1:${target}`);
  mkdirSync("nginx");
  const folder = `${process.cwd()}/nginx`;
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  // Without `user`, workers of root cannot enter this folder.
  const user = process.getuid?.() === 0 ? "user root root;" : "";
  writeFileSync(
    "nginx/nginx.conf",
    `daemon off; pid ${folder}/pid; worker_processes 1; events {} ${user}
http { access_log off; ${temporary.join(" ")}
${shop} }`,
  );
  const words = ["-e", `${folder}/error.log`, "-c", `${folder}/nginx.conf`];
  const child = spawn(process.env["NGINX_PROGRAM"] ?? "nginx", words, {
    stdio: ["ignore", "inherit", "inherit"],
  });
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error("nginx has ended");
  }
  const idle = /upstream[^}]*keepalive_timeout\s+(\d+)s?;/u.exec(shop)?.[1];
  return {
    port,
    /** How many seconds it keeps idle connections to the server. */
    idle: Number(idle ?? 60),
    stop: () => child.kill(),
  };
}
