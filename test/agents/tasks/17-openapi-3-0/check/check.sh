ridl check
ridl generate
test -f generated/client.ts
node check.js
