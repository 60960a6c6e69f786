ridl check
ridl breaking --against ./before --strict
test -z "$(grep -rE '^(service|struct|error)' schema/shop.ridl)"
grep -q '^service Books' schema/common/books.ridl
grep -q '^service Orders' schema/common/orders.ridl
test -z "$(grep '^service' schema/common/types.ridl)"
test -z "$(grep -rE '^(struct|error)' schema/common/books.ridl schema/common/orders.ridl)"
ridl generate
tsc
node dist/check.js
