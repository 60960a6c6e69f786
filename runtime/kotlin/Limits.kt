// The limits of values, which are checked before a request is sent.
package ridl

import java.math.BigDecimal
import java.util.concurrent.ConcurrentHashMap
import kotlinx.serialization.json.*

/**
 * A request that its contract forbids. It was not sent. The message contains no values, because they may be secret.
 *
 * @property faults Where the mistakes are, and what the contract expects there.
 */
class InvalidRequestException(val faults: List<String>) : IllegalArgumentException(faults.joinToString("; "))

internal fun refuse(fault: String): Nothing = throw InvalidRequestException(listOf(fault))

/** Checks of patterns with lookaheads or back-references, by their texts in the contract. Programs add those they need. */
object Patterns {
    private val checks = ConcurrentHashMap<String, (String) -> Boolean>()

    @JvmStatic
    fun add(pattern: String, check: (String) -> Boolean) {
        checks[pattern] = check
    }

    internal fun find(pattern: String): (String) -> Boolean =
        checkNotNull(checks[pattern]) { "Patterns has no check for the pattern $pattern" }
}

/** What a limit accepts of a type. */
internal interface Limit {
    /** Returns what was expected, or null if the value is within the limit. */
    fun <T> faultOf(type: Type<T>, value: T): String?
}

/** A type with limits. */
internal class LimitedType<T>(private val type: Type<T>, private vararg val limits: Limit) : Type<T> by type {
    override fun check(value: T, faults: Faults) {
        for (limit in limits) limit.faultOf(type, value)?.let(faults::add)
        type.check(value, faults)
    }
}

/** The limits, by their names in JSON Schema. */
internal object Limits {
    fun minimum(least: String) = number("at least $least") { it >= BigDecimal(least) }
    fun maximum(most: String) = number("at most $most") { it <= BigDecimal(most) }
    fun minLength(least: Long) = size("at least $least characters") { it >= least }
    fun maxLength(most: Long) = size("at most $most characters") { it <= most }
    fun minItems(least: Long) = size("at least $least items") { it >= least }
    fun maxItems(most: Long) = size("at most $most items") { it <= most }
    fun minProperties(least: Long) = size("at least $least properties") { it >= least }
    fun maxProperties(most: Long) = size("at most $most properties") { it <= most }

    fun uniqueItems() = json("different items") { list ->
        val items = list.jsonArray.map(::keyOf)
        items.toSet().size == items.size
    }

    /** Checks a pattern, which is translated for engines without lookaheads, or null if that is impossible. */
    fun pattern(source: String, translated: String?): Limit {
        val regex by lazy { translated?.let { Regex(scripts.replace(it, "\\\\$1{script=$2}")) } }
        return text("text that matches $source") { value -> regex?.let { isFound(it, value) } ?: Patterns.find(source)(value) }
    }

    /** Java recurses for each repetition of a group. */
    private fun isFound(regex: Regex, text: String): Boolean = try {
        regex.containsMatchIn(text)
    } catch (_: StackOverflowError) {
        false
    }

    /** Java and Android write `\p{script=Greek}`. Android also has to escape the brace at the end. */
    private val scripts = Regex("\\\\([pP])\\{([A-Z][a-z]{2,}|Yi)\\}")

    fun uri() = text("an absolute http or https URL", url::matches)

    fun oneOf(vararg values: Any): Limit {
        val keys = values.toSet()
        return json("one of the listed values") { keyOf(it) in keys }
    }

    private fun number(expected: String, accepts: (BigDecimal) -> Boolean) =
        text(expected) { number -> decimalOf(number)?.let(accepts) ?: false }

    private fun text(expected: String, accepts: (String) -> Boolean) = json(expected) { accepts(it.jsonPrimitive.content) }

    private fun size(expected: String, accepts: (Long) -> Boolean) = object : Limit {
        override fun <T> faultOf(type: Type<T>, value: T) = expected.takeUnless { accepts(type.sizeOf(value).toLong()) }
    }

    private fun json(expected: String, accepts: (JsonElement) -> Boolean) = object : Limit {
        override fun <T> faultOf(type: Type<T>, value: T) = expected.takeUnless { accepts(type.write(value)) }
    }
}

/** Returns a value that is the same for equal JSON, in which numbers can be written in several ways. */
internal fun keyOf(json: JsonElement?): Any? = when (json) {
    is JsonObject -> json.mapValues { (_, member) -> keyOf(member) }
    is JsonArray -> json.map(::keyOf)
    is JsonPrimitive -> if (json.isString) json.content else literalKey(json.content)
    null -> null
}

private fun literalKey(text: String): Any =
    text.toBooleanStrictOrNull() ?: decimalOf(text)?.stripTrailingZeros() ?: JsonPrimitive(text)

/** Returns the key of a number, of which a contract can have more digits than a Long. */
internal fun numberKey(text: String): Any = BigDecimal(text).stripTrailingZeros()

// The characters that RFC 3986 allows. Others have to be percent-encoded. Java would recurse for each repetition of a
// group that is not possessive.
private val url = Regex(
    "(?i)https?://(?:(?:[!$&'-.0-;=A-Z_a-z~]|%[0-9a-f]{2})*+@)?" +
        "(?:\\[[0-9a-f:.]+\\]|(?:[!$&'-.0-9;=A-Z_a-z~]|%[0-9a-f]{2})++)(?::[0-9]*)?" +
        "(?:[/?](?:[!$&'-;=?-Z_a-z~]|%[0-9a-f]{2})*+)?(?:#(?:[!$&'-;=?-Z_a-z~]|%[0-9a-f]{2})*+)?",
)
