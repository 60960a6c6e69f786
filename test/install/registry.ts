import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { pack, root } from "../package/packed.js";
import { listen, type Listening } from "../support/listen.js";

/**
 * Starts a package registry that serves the two packages of this repository as
 * they would be published, and redirects other requests to the registry in
 * npm's configuration. With it, package managers can run the documented
 * commands unchanged.
 *
 * Input: a folder for the tarballs. Source: npm's registry API. Package
 * managers only need its packuments and tarballs.
 */
export async function startRegistry(folder: string): Promise<Listening> {
  const upstream = npmSetting("registry");
  const packages = new Map(
    [root, join(root, "runtime/typescript")].map((source) => {
      const { name, ...rest } = readManifest(source);
      const tarball = readFileSync(pack(source, folder));
      return [name, { manifest: { name, ...rest }, tarball }];
    }),
  );
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", listening.url);
    const [name = "", file] = decodeURIComponent(pathname.slice(1)).split(
      "/-/",
    );
    const found = packages.get(name);
    if (found === undefined) {
      const location = new URL(request.url?.slice(1) ?? "", upstream).href;
      response.writeHead(302, { location }).end();
    } else if (file === undefined) {
      const dist = describeTarball(
        found.tarball,
        `${listening.url}/${name}/-/`,
      );
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(createPackument(found.manifest, dist)));
    } else response.end(found.tarball);
  });
  const listening = await listen(server);
  return listening;
}

/** The parts of a package.json that the registry needs. */
interface Manifest {
  readonly name: string;
  readonly version: string;
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

function describeTarball(tarball: Buffer, address: string): object {
  const hash = (algorithm: string) => createHash(algorithm).update(tarball);
  return {
    tarball: `${address}package.tgz`,
    shasum: hash("sha1").digest("hex"),
    integrity: `sha512-${hash("sha512").digest("base64")}`,
  };
}

function createPackument(manifest: Manifest, dist: object): object {
  const { name, version } = manifest;
  return {
    name,
    "dist-tags": { latest: version },
    // Package managers may reject a version that was just published.
    time: { [version]: "2020-01-01T00:00:00.000Z" },
    versions: { [version]: { ...manifest, dist } },
  };
}

/** Returns a setting of this machine's npm configuration. */
export function npmSetting(name: string): string {
  const args = ["config", "get", name];
  return execFileSync("npm", args, { encoding: "utf8", stdio: "pipe" }).trim();
}
