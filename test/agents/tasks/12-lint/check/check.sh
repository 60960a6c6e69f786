cmp ridl.config.yaml config.expected
test -z "$(grep -r ridl-ignore schema)"
ridl check --strict
ridl generate
tsc
node dist/check.js
