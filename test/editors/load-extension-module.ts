import { build } from "esbuild";

/**
 * Loads a file of the extension.
 *
 * Input: the code of a module that replaces `vscode`, which only exists in the
 * editor, and `vscode-languageclient`, which is installed only for builds.
 */
export async function loadExtensionModule(file: string, vscode: string) {
  const { outputFiles } = await build({
    entryPoints: [`apps/editors/vscode/src/${file}`],
    bundle: true,
    format: "esm",
    // Each test replaces only what it uses.
    logLevel: "error",
    platform: "node",
    plugins: [
      {
        name: "vscode",
        setup({ onLoad, onResolve }) {
          onResolve(
            { filter: /^vscode(?:-languageclient.*)?$/ },
            ({ path }) => ({
              path,
              namespace: "stub",
            }),
          );
          onLoad({ filter: /./, namespace: "stub" }, () => ({
            contents: vscode,
          }));
        },
      },
    ],
    write: false,
  });
  const [{ text } = { text: "" }] = outputFiles;
  const url = `data:text/javascript,${encodeURIComponent(text)}`;
  return import(/* @vite-ignore */ url);
}
