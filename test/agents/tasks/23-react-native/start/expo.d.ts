/** A part of the package `expo`, which is not installed in this folder. */
declare module "expo/fetch" {
  /** Returns a response as soon as it begins. */
  export const fetch: typeof globalThis.fetch;
}
