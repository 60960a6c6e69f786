import { expect, onTestFinished } from "vitest";
import { createSandbox, type Sandbox } from "../cli/support/sandbox.js";
import { type App, startApp } from "./start-app.js";

/** A running app, and a folder with its contract, `shop.ridl`. */
export interface Imported {
  readonly url: string;
  readonly sandbox: Sandbox;
}

/** Starts an app for the duration of the test, and imports its document. */
export async function importApp(app: App): Promise<Imported> {
  const { document, stop, url } = await startApp(app);
  onTestFinished(stop);
  const sandbox = createSandbox({ "shop.json": document });
  const imported = await sandbox.run(["import", "openapi", "shop.json"]);
  expect(imported).toMatchObject({ exitCode: 0 });
  return { url, sandbox };
}
