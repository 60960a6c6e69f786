ridl check
ridl generate
test "$(find templates -name '*.hbs' | wc -l)" -eq 1
node check.js
