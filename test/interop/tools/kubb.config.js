import { defineConfig } from "@kubb/core";
import { pluginClient } from "@kubb/plugin-client";
import { pluginOas } from "@kubb/plugin-oas";
import { pluginTs } from "@kubb/plugin-ts";

// `run.js` passes the document and the folder.
const { KUBB_DOCUMENT: path, KUBB_OUTPUT: output } = process.env;

export default defineConfig({
  input: { path },
  output: {
    path: output,
    clean: true,
    format: false,
    lint: false,
    extension: { ".ts": ".js" },
  },
  plugins: [
    pluginOas(),
    pluginTs(),
    pluginClient({ client: "fetch", bundle: true }),
  ],
});
