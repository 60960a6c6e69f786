npm run generate
test -d internal/catalog
test -d internal/orders
test "$(find . -name go.mod -not -path '*/node_modules/*')" = ./go.mod
go build -o built/ ./checkpurchase
node check.js
