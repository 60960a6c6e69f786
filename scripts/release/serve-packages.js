import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

/**
 * Creates a package registry that serves packages as they would be published, and
 * redirects other requests to another registry.
 *
 * Input: for each package, its folder and the path of its tarball; and the address
 * of the other registry. Source: npm's registry API. Package managers only need its
 * packuments and tarballs.
 */
export function createRegistry(packed, upstream) {
  const packages = new Map(
    packed.map(({ folder, path }) => {
      const text = readFileSync(join(folder, "package.json"), "utf8");
      const manifest = JSON.parse(text);
      return [manifest.name, { manifest, tarball: readFileSync(path) }];
    }),
  );
  const answer = (request, response) => {
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
    const [name = "", file] = decodeURIComponent(url.pathname.slice(1)).split(
      "/-/",
    );
    const found = packages.get(name);
    if (found === undefined) {
      const location = new URL(request.url?.slice(1) ?? "", upstream).href;
      response.writeHead(302, { location }).end();
    } else if (file === undefined) {
      const dist = describe(found.tarball, `${url.origin}/${name}/-/`);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(createPackument(found.manifest, dist)));
    } else response.end(found.tarball);
  };
  return createServer((request, response) => {
    try {
      answer(request, response);
    } catch {
      // The URL is malformed.
      response.writeHead(400).end();
    }
  });
}

function describe(tarball, address) {
  const hash = (algorithm) => createHash(algorithm).update(tarball);
  return {
    tarball: `${address}package.tgz`,
    shasum: hash("sha1").digest("hex"),
    integrity: `sha512-${hash("sha512").digest("base64")}`,
  };
}

function createPackument(manifest, dist) {
  const { name, version } = manifest;
  return {
    name,
    "dist-tags": { latest: version },
    // Package managers may reject a version that was just published.
    time: { [version]: "2020-01-01T00:00:00.000Z" },
    versions: { [version]: { ...manifest, dist } },
  };
}
