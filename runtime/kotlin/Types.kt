// The types of values, and how they are written in JSON.
@file:OptIn(ExperimentalSerializationApi::class)

package ridl

import java.math.BigDecimal
import java.math.BigInteger
import java.time.DateTimeException
import java.time.Instant
import java.time.LocalDateTime
import java.time.ZoneOffset
import java.util.Base64
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.json.*
import okio.ByteString
import okio.ByteString.Companion.toByteString

/** A type of values. Values from JSON only need to have the type, because servers can be newer. `check` checks limits. */
internal interface Type<T> {
    /** Reads a value. Throws [Mismatch]. */
    fun read(json: JsonElement): T

    fun write(value: T): JsonElement

    /** Adds what the contract does not allow. */
    fun check(value: T, faults: Faults) = Unit

    /** Reads the key of a map. */
    fun readKey(text: String): T = read(JsonPrimitive(text))

    /** The size that limits concern: characters, bytes, items or members. */
    fun sizeOf(value: T): Int = 0
}

/** Returns what the contract does not allow. */
internal fun <T> Type<T>.faultsIn(value: T): List<String> = Faults().also { check(value, it) }.found

/** The types that RIDL has. */
@Suppress("ktlint:standard:property-naming")
internal object Scalars {
    val string: Type<String> = StringType
    val bool: Type<Boolean> = BoolType
    val byte: Type<Int> = intType(0..0xff)
    val uint8 = byte
    val uint16: Type<Int> = intType(0..0xffff)
    val int8: Type<Int> = intType(Byte.MIN_VALUE..Byte.MAX_VALUE)
    val int16: Type<Int> = intType(Short.MIN_VALUE..Short.MAX_VALUE)
    val int32: Type<Int> = intType(Int.MIN_VALUE..Int.MAX_VALUE)
    val uint32: Type<Long> = longType(0..0xffff_ffffL)
    val int64: Type<Long> = longType(Long.MIN_VALUE..Long.MAX_VALUE)

    // Other languages represent these types as doubles.
    val int: Type<Long> = longType(-MAX_SAFE..MAX_SAFE)
    val uint: Type<Long> = longType(0..MAX_SAFE)
    val uint64: Type<BigInteger> = NumberType("an unsigned integer of 64 bits", ::isUint64) { json -> wholeNumber(json).takeIf(::isUint64) }
    val bigint: Type<BigInteger> = BigintType
    val float32: Type<Float> = NumberType(FINITE, { it.isFinite() }) { json -> doubleIn(json)?.toFloat()?.takeIf { it.isFinite() } }
    val float64: Type<Double> = NumberType(FINITE, { it.isFinite() }, ::doubleIn)
    val timestamp: Type<Instant> = TimestampType
    val bytes: Type<ByteString> = BytesType
    val any: Type<JsonElement> = AnyType
    val nothing: Type<JsonNull> = NullType
    val file: Type<Upload> = FileType

    /** The type of a message without fields. */
    val unit: Type<Unit> = UnitType
}

private const val MAX_SAFE = 9007199254740991L
private const val FINITE = "a finite number"

private object StringType : Type<String> {
    override fun read(json: JsonElement): String = textOf(json) ?: mismatch("a string")
    override fun write(value: String) = JsonPrimitive(value)
    override fun sizeOf(value: String): Int = value.codePointCount(0, value.length)
}

private object BoolType : Type<Boolean> {
    override fun read(json: JsonElement): Boolean = literalOf(json)?.toBooleanStrictOrNull() ?: mismatch("a boolean")
    override fun write(value: Boolean) = JsonPrimitive(value)
}

private class NumberType<T : Number>(
    private val expected: String,
    private val accepts: (T) -> Boolean,
    /** Reads a number, which a newer server can also send if [accepts] refuses it. Returns null if it has another type. */
    private val convert: (JsonElement) -> T?,
) : Type<T> {
    override fun read(json: JsonElement): T = convert(json) ?: mismatch(expected)
    override fun readKey(text: String): T = if (isNumber(text)) read(JsonUnquotedLiteral(text)) else mismatch("a number")
    override fun write(value: T): JsonElement = JsonUnquotedLiteral(numberText(value.toString()))

    override fun check(value: T, faults: Faults) {
        if (!accepts(value)) faults.add(expected)
    }
}

private fun intType(range: IntRange): Type<Int> = NumberType("an integer from ${range.first} to ${range.last}", { it in range }) { json ->
    longIn(json)?.takeIf { it in Int.MIN_VALUE..Int.MAX_VALUE }?.toInt()
}

private fun longType(range: LongRange): Type<Long> =
    NumberType("an integer from ${range.first} to ${range.last}", { it in range }, ::longIn)

private fun longIn(json: JsonElement): Long? =
    literalOf(json)?.toLongOrNull() ?: wholeNumber(json).takeIf { it.bitLength() < 64 }?.toLong()

private fun doubleIn(json: JsonElement): Double? = literalOf(json)?.takeIf(::isNumber)?.toDouble()?.takeIf { it.isFinite() }

private fun isUint64(value: BigInteger): Boolean = value.signum() >= 0 && value.bitLength() <= 64

private object BigintType : Type<BigInteger> {
    private val digits = Regex("-?[0-9]{1,$MAX_DIGITS}")

    override fun read(json: JsonElement): BigInteger {
        val text = textOf(json) ?: return wholeNumber(json)
        return if (digits.matches(text)) BigInteger(text) else mismatch("an integer")
    }

    override fun write(value: BigInteger) = JsonPrimitive(value.toString())

    override fun check(value: BigInteger, faults: Faults) {
        if (value.abs() >= BigInteger.TEN.pow(MAX_DIGITS)) faults.add("an integer of at most $MAX_DIGITS digits")
    }
}

private const val MAX_DIGITS = 1000

private object TimestampType : Type<Instant> {
    private val rfc3339 =
        Regex("([0-9-]{10})[Tt]([0-9]{2}:[0-9]{2}):([0-9]{2})(\\.[0-9]{1,9})?(?:[Zz]|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))")

    override fun read(json: JsonElement): Instant {
        val found = textOf(json)?.let(rfc3339::matchEntire) ?: mismatch(EXPECTED)
        val (date, minute, second, fraction, sign, hours, minutes) = found.destructured
        val isLeap = second == "60"
        try {
            val local = LocalDateTime.parse("${date}T$minute:${if (isLeap) "59" else second}$fraction")
            val offset = if (sign == "") 0L else hours.toLong() * 3600 + minutes.toLong() * 60
            val time = local.toInstant(ZoneOffset.UTC).minusSeconds(if (sign == "-") -offset else offset)
            // Instants have no leap seconds: each becomes the first second of the next minute.
            if (!isLeap) return time
            return if (time.epochSecond.mod(SECONDS_OF_DAY) == SECONDS_OF_DAY - 1) time.plusSeconds(1) else mismatch(EXPECTED)
        } catch (_: DateTimeException) {
            mismatch(EXPECTED)
        }
    }

    override fun write(value: Instant) = JsonPrimitive(value.toString())

    override fun check(value: Instant, faults: Faults) {
        if (value !in range) faults.add("a timestamp from the year 0 to 9999")
    }

    private val range = Instant.parse("0000-01-01T00:00:00Z")..Instant.parse("9999-12-31T23:59:59.999999999Z")
    private const val EXPECTED = "a timestamp as in RFC 3339"
    private const val SECONDS_OF_DAY = 86_400L
}

private object BytesType : Type<ByteString> {
    override fun read(json: JsonElement): ByteString =
        textOf(json)?.takeIf { it.length % 4 == 0 }?.let(::bytesIn) ?: mismatch("base64")

    override fun write(value: ByteString) = JsonPrimitive(value.base64())
    override fun sizeOf(value: ByteString): Int = value.size
}

private object AnyType : Type<JsonElement> {
    override fun read(json: JsonElement): JsonElement = json
    override fun write(value: JsonElement): JsonElement = value

    override fun check(value: JsonElement, faults: Faults) {
        try {
            checkJson(value)
        } catch (mismatch: Mismatch) {
            faults.add(mismatch.message.orEmpty().removePrefix("expected "))
        }
    }
}

private object NullType : Type<JsonNull> {
    override fun read(json: JsonElement): JsonNull = json as? JsonNull ?: mismatch("null")
    override fun write(value: JsonNull) = value
}

/** Files are sent and received outside of JSON. */
private object FileType : Type<Upload> {
    override fun read(json: JsonElement): Upload = mismatch("no file in JSON")
    override fun write(value: Upload) = JsonNull
}

internal object UnitType : Type<Unit> {
    override fun read(json: JsonElement) {
        if (json !is JsonObject) mismatch("an object")
    }

    override fun write(value: Unit) = JsonObject(emptyMap())
}

internal fun textOf(json: JsonElement?): String? = (json as? JsonPrimitive)?.takeIf { it.isString }?.content

private fun literalOf(json: JsonElement): String? = (json as? JsonPrimitive)?.takeIf { !it.isString }?.content

/** Returns what a text in base64 contains, or null if it is in another form. */
internal fun bytesIn(text: String): ByteString? = try {
    Base64.getDecoder().decode(text).toByteString()
} catch (_: IllegalArgumentException) {
    null
}

/** Reads an integer, which JSON can also write as 1.0 or 1e3. */
internal fun wholeNumber(json: JsonElement): BigInteger =
    literalOf(json)?.let(::decimalOf)?.takeIf { it.rem(BigDecimal.ONE).signum() == 0 }?.toBigInteger() ?: mismatch("an integer")

/** Returns a number, or null if it is none or has so many digits that computing with it takes long. */
internal fun decimalOf(text: String): BigDecimal? =
    if (text.length > MAX_DIGITS + 10) null else text.toBigDecimalOrNull()?.takeIf { it.scale() in -MAX_DIGITS..MAX_DIGITS }

internal class ListType<T>(private val item: Type<T>) : Type<List<T>> {
    override fun read(json: JsonElement): List<T> =
        (json as? JsonArray)?.mapIndexed { index, each -> readWithin("[$index]") { item.read(each) } } ?: mismatch("a list")

    override fun write(value: List<T>) = JsonArray(value.map(item::write))

    override fun check(value: List<T>, faults: Faults) =
        value.forEachIndexed { index, each -> faults.within(index) { item.check(each, faults) } }

    override fun sizeOf(value: List<T>): Int = value.size
}

internal class MapType<K, T>(private val key: Type<K>, private val item: Type<T>) : Type<Map<K, T>> {
    override fun read(json: JsonElement): Map<K, T> {
        val members = json as? JsonObject ?: mismatch("an object")
        val read = members.entries.associate { (name, value) ->
            key.readKey(name) to readWithin(".*") { item.read(value) }
        }
        // Keys such as 1 and 1.0 are the same.
        return if (read.size == members.size) read else mismatch("different keys")
    }

    override fun write(value: Map<K, T>) = JsonObject(value.entries.associate { (name, each) -> keyOf(name) to item.write(each) })

    override fun check(value: Map<K, T>, faults: Faults) {
        for ((name, each) in value) {
            faults.within("(a key)") { key.check(name, faults) }
            faults.within(keyOf(name)) { item.check(each, faults) }
        }
    }

    override fun sizeOf(value: Map<K, T>): Int = value.size
    private fun keyOf(name: K): String = key.write(name).jsonPrimitive.content
}

/** A type whose values can also be null. */
internal class NullableType<T : Any>(private val type: Type<T>) : Type<T?> {
    override fun read(json: JsonElement): T? = if (json is JsonNull) null else type.read(json)
    override fun write(value: T?) = value?.let(type::write) ?: JsonNull

    override fun check(value: T?, faults: Faults) {
        if (value != null) type.check(value, faults)
    }
}

/** Adds a name to what a mismatch says. */
internal inline fun <T> readWithin(place: String, read: () -> T): T = try {
    read()
} catch (mismatch: Mismatch) {
    throw Mismatch("$place: ${mismatch.message}")
}
