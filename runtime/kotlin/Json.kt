// JSON, read strictly and written so that other parsers read the same values.
package ridl

import kotlin.math.min
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.*

/** A value in JSON is not what the contract promises. Its message contains no values, because they may be secret. */
internal class Mismatch(message: String) : Exception(message, null, false, false)

internal fun mismatch(expected: String): Nothing = throw Mismatch("expected $expected")

/** Lists and objects can be nested this deep. Beyond it, programs run out of stack. */
private const val MAX_DEPTH = 200

/** Parses JSON. Throws [Mismatch]. */
internal fun parseJson(text: String): JsonElement {
    checkText(text)
    val json = try {
        Json.parseToJsonElement(text)
    } catch (_: SerializationException) {
        mismatch("JSON")
    }
    checkJson(json)
    return json
}

/** Refuses what the parser accepts: strings with what has to be escaped, such as a line break, and too many levels. */
private fun checkText(text: String) {
    var isString = false
    var index = 0
    var depth = 0
    while (index < text.length) {
        val unit = text[index]
        if (isString && unit < ' ') mismatch("JSON")
        if (unit == '"') isString = !isString
        if (!isString && (unit == '[' || unit == '{')) depth += 1
        if (!isString && (unit == ']' || unit == '}')) depth -= 1
        // The last level can be an empty list.
        if (depth > MAX_DEPTH + 1) tooDeep()
        index += if (isString && unit == '\\') 2 else 1
    }
}

private fun tooDeep(): Nothing = mismatch("at most $MAX_DEPTH levels")

/** Returns null in place of a mismatch. */
internal inline fun <T> readOrNull(read: () -> T): T? = try {
    read()
} catch (_: Mismatch) {
    null
}

/** Refuses words that are no JSON, such as NaN, and values that are nested too deep. */
internal fun checkJson(json: JsonElement, depth: Int = 0) {
    if (depth > MAX_DEPTH) tooDeep()
    when (json) {
        is JsonObject -> for (member in json.values) checkJson(member, depth + 1)
        is JsonArray -> for (item in json) checkJson(item, depth + 1)
        is JsonPrimitive -> if (!json.isString && json.content !in literals && !isNumber(json.content)) mismatch("JSON")
    }
}

private val literals = setOf("true", "false", "null")
private val number = Regex("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")

/** Whether a text is a number in JSON. */
internal fun isNumber(text: String): Boolean = number.matches(text)

/** Writes JSON. Unpaired surrogates are escaped, because UTF-8 cannot contain them. */
internal fun printJson(json: JsonElement): String {
    val text = json.toString()
    if (!hasUnpaired(text)) return text
    return buildString {
        for (point in text.codePoints()) if (point in surrogates) append("\\u%04x".format(point)) else appendCodePoint(point)
    }
}

/** Whether a text contains half of a surrogate pair. */
internal fun hasUnpaired(text: String): Boolean = text.codePoints().anyMatch { it in surrogates }

private val surrogates = 0xd800..0xdfff

/** Writes a number as servers read it in addresses and forms: `5` and `1e21` in place of `5.0` and `1.0E21`. */
internal fun numberText(text: String): String = text.removeSuffix(".0").replace(".0E", "e").replace('E', 'e')

/** Where a value is that the contract does not allow, and what it allows. */
internal class Faults {
    private val place = ArrayDeque<Any>()
    private var hiddenFrom = Int.MAX_VALUE
    val found = mutableListOf<String>()

    /** Adds a fault unless there are enough to describe the mistake. */
    fun add(expected: String) {
        if (found.size < MAX_FAULTS) found += "${path()}: expected $expected"
    }

    /** Checks a part. If it is sensitive, messages do not say where in it a fault is, which can be the key of a map. */
    fun within(key: Any, isSensitive: Boolean = false, check: () -> Unit) {
        place.addLast(key)
        if (isSensitive) hiddenFrom = min(hiddenFrom, place.size)
        check()
        if (place.size == hiddenFrom) hiddenFrom = Int.MAX_VALUE
        place.removeLast()
    }

    private fun path(): String =
        place.take(hiddenFrom).joinToString("") { if (it is Int) "[$it]" else ".$it" }.removePrefix(".")
}

private const val MAX_FAULTS = 20
