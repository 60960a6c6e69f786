import { spawnSync } from "node:child_process";

/**
 * Packs the output of `npm run build`, as it would be published. Returns the name
 * and version of the package, and the path of the tarball. Input: the root of the
 * repository, and the folders of the package and of the tarball in it.
 */
export function pack(root, folder, out) {
  const { status, stdout } = spawnSync(
    `npm pack ./${folder} --json --ignore-scripts --pack-destination ${out}`,
    {
      cwd: root,
      shell: true,
      stdio: ["ignore", "pipe", "inherit"],
      encoding: "utf8",
    },
  );
  if (status !== 0) process.exit(status ?? 1);
  const [{ name, version, filename, size }] = JSON.parse(stdout);
  console.log(`packed ${filename}: ${size} bytes`);
  return { name, version, path: `${out}/${filename}` };
}
