ridl check
ridl generate
# Nothing needs the old client.
rm -rf src/api
tsc
node check.js
