// The limits of a contract, which are checked before a request is sent.
@file:OptIn(ExperimentalSerializationApi::class)

package ridl

import java.net.URI
import java.util.Base64
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerialInfo
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.descriptors.StructureKind
import kotlinx.serialization.descriptors.elementNames
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

@SerialInfo
@Target(AnnotationTarget.PROPERTY)
annotation class Minimum(val limit: String)

@SerialInfo
@Target(AnnotationTarget.PROPERTY)
annotation class Maximum(val limit: String)

/** Lengths are numbers of code points. */
@SerialInfo
@Target(AnnotationTarget.PROPERTY)
annotation class MinLength(val limit: Int)

@SerialInfo
@Target(AnnotationTarget.PROPERTY)
annotation class MaxLength(val limit: Int)

/** The items of bytes are the bytes. */
@SerialInfo
@Target(AnnotationTarget.PROPERTY)
annotation class MinItems(val limit: Int)

@SerialInfo
@Target(AnnotationTarget.PROPERTY)
annotation class MaxItems(val limit: Int)

@SerialInfo
@Target(AnnotationTarget.PROPERTY)
annotation class UniqueItems

@SerialInfo
@Target(AnnotationTarget.PROPERTY)
annotation class MinProperties(val limit: Int)

@SerialInfo
@Target(AnnotationTarget.PROPERTY)
annotation class MaxProperties(val limit: Int)

@SerialInfo
@Target(AnnotationTarget.PROPERTY)
annotation class Pattern(val expression: String)

@SerialInfo
@Target(AnnotationTarget.PROPERTY)
annotation class Format(val name: String)

@SerialInfo
@Target(AnnotationTarget.PROPERTY)
annotation class OneOf(vararg val values: String)

/** A request that its contract forbids. It was not sent. The message contains no values. */
class InvalidRequestException(val failures: List<String>) : IllegalArgumentException(failures.joinToString("; "))

/**
 * Checks the limits of a value in JSON.
 *
 * @throws InvalidRequestException if it has values beyond them
 */
internal fun checkLimits(value: JsonElement, type: SerialDescriptor) {
    val failures = mutableListOf<String>()
    visit(value, type, "", failures)
    if (failures.isNotEmpty()) throw InvalidRequestException(failures)
}

private fun visit(value: JsonElement, type: SerialDescriptor, path: String, failures: MutableList<String>) {
    when {
        value is JsonNull -> return
        type.isInline -> visitElement(value, type, 0, path, failures)
        type.kind == StructureKind.CLASS && value is JsonObject ->
            for ((index, name) in type.elementNames.withIndex()) {
                value[name]?.let { visitElement(it, type, index, if (path == "") name else "$path.$name", failures) }
            }
        type.kind == StructureKind.LIST && value is JsonArray ->
            value.forEachIndexed { index, item -> visitElement(item, type, 0, "$path[$index]", failures) }
        type.kind == StructureKind.MAP && value is JsonObject ->
            for ((key, item) in value) {
                visitElement(JsonPrimitive(key), type, 0, "$path (a key)", failures)
                visitElement(item, type, 1, "$path[$key]", failures)
            }
    }
}

private fun visitElement(
    value: JsonElement,
    type: SerialDescriptor,
    index: Int,
    path: String,
    failures: MutableList<String>,
) {
    if (value is JsonNull) return
    val inner = type.getElementDescriptor(index)
    for (limit in type.getElementAnnotations(index)) {
        val expected = findFault(value, inner, limit) ?: continue
        failures += "$path: expected $expected"
    }
    visit(value, inner, path, failures)
}

/** Returns what was expected, or null if the limit is met. */
private fun findFault(value: JsonElement, type: SerialDescriptor, limit: Annotation): String? {
    val size by lazy { sizeOf(value, type) }
    val text by lazy { (value as JsonPrimitive).content }
    return when (limit) {
        is Minimum -> "at least ${limit.limit}".takeIf { text.toBigDecimal() < limit.limit.toBigDecimal() }
        is Maximum -> "at most ${limit.limit}".takeIf { text.toBigDecimal() > limit.limit.toBigDecimal() }
        is MinLength -> "at least ${limit.limit} characters".takeIf { size < limit.limit }
        is MaxLength -> "at most ${limit.limit} characters".takeIf { size > limit.limit }
        is MinItems -> "at least ${limit.limit} items".takeIf { size < limit.limit }
        is MaxItems -> "at most ${limit.limit} items".takeIf { size > limit.limit }
        is MinProperties -> "at least ${limit.limit} properties".takeIf { size < limit.limit }
        is MaxProperties -> "at most ${limit.limit} properties".takeIf { size > limit.limit }
        is UniqueItems -> "different items".takeIf { value is JsonArray && value.toSet().size < value.size }
        is Pattern ->
            "text that matches ${limit.expression}".takeUnless { Regex(limit.expression).containsMatchIn(text) }
        is OneOf -> "one of ${limit.values.joinToString()}".takeUnless { isListed(value as JsonPrimitive, limit.values) }
        is Format -> "an absolute http or https URL".takeUnless { isWebAddress(text) }
        else -> null
    }
}

private fun sizeOf(value: JsonElement, type: SerialDescriptor): Int =
    when {
        value is JsonArray -> value.size
        value is JsonObject -> value.size
        value is JsonPrimitive && baseOf(type).serialName == BYTES -> Base64.getDecoder().decode(value.content).size
        value is JsonPrimitive -> value.content.codePointCount(0, value.content.length)
        else -> 0
    }

/** Numbers can be written in several ways. */
private fun isListed(value: JsonPrimitive, values: Array<out String>): Boolean {
    val number = if (value.isString) null else value.content.toBigDecimalOrNull()
    return values.any { it == value.content || number != null && number.compareTo(it.toBigDecimal()) == 0 }
}

private fun baseOf(type: SerialDescriptor): SerialDescriptor =
    if (type.isInline) baseOf(type.getElementDescriptor(0)) else type

private fun isWebAddress(text: String): Boolean =
    runCatching { URI(text) }.getOrNull()?.let { it.scheme?.lowercase() in setOf("http", "https") && it.host != null }
        ?: false
