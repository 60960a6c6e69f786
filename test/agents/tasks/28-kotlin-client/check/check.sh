ridl generate
test -d generated/kotlin
tsc
libraries=$(printf '%s:' "$KOTLIN"/kotlin-stdlib-2*.jar "$KOTLIN"/kotlinx-*.jar "$KOTLIN"/ok*.jar)
java -Xss4m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$KOTLIN/*" \
  org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -no-stdlib -no-reflect -jvm-target 17 \
  -cp "$libraries" -d classes generated/kotlin Books.kt Check.kt
CLASSES="classes:$libraries" node dist/check.js
