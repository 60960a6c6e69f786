ridl check
ridl generate
tsc
ridl generate --config server.config.yaml
node --no-warnings --experimental-vm-modules check.js
