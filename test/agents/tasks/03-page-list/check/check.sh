ridl check
ridl breaking --against ./before
ridl generate
tsc
node dist/check.js
