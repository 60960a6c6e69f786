ridl check
ridl breaking --against ./before
ridl generate
tsc
node dist/check.js
test -z "$(grep -r ridl-ignore schema)"
grep -qE '^ +- remark\?: string' schema/shop.ridl
grep -q '@deprecated:"use SearchBooks"' schema/shop.ridl
