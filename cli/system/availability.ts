/**
 * How to get ridlkit until it is published. Pages that tell users to install it
 * contain the same text. `npm run release -- version` empties it, and removes it
 * from the pages.
 */
export const availability: string =
  "ridlkit is not on npm yet. In a checkout of its repository, run `npm ci` and `npm run pack -- serve`. In other terminals, run `export npm_config_registry=http://localhost:4873` before the commands in its documentation.";
