ridl check
ridl generate
test -d internal/shop
test "$(find . -name go.mod)" = ./go.mod
go build -o built/ ./...
node check.js
