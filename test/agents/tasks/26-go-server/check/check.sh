ridl check
ridl generate
test -d internal/shop
test "$(find . -name go.mod -not -path '*/node_modules/*')" = ./go.mod
go build -o built/ ./cmd/shop
node check.js
