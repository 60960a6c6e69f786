ridl generate
tsc
node dist/check.js
