// Structs, enums and unions, whose types are generated.
package ridl

import kotlinx.serialization.json.*

/** The value of a property that can be absent, which is `null`, or contain null, which is `Present(null)`. */
data class Present<out T : Any>(val value: T?)

/** A value of an enum. Servers can be newer than the contract, so it can also be one that the contract does not list. */
abstract class EnumValue internal constructor() {
    /** The value as in JSON. */
    abstract val value: String

    override fun equals(other: Any?): Boolean = other is EnumValue && other.javaClass == javaClass && other.value == value
    override fun hashCode(): Int = value.hashCode()
    override fun toString(): String = value
}

/** The type of an enum. If it is open, requests can contain any text, too. */
internal abstract class EnumType<T : EnumValue>(private val create: (String) -> T) : Type<T> {
    /** The values that the contract lists. */
    abstract val known: Set<String>

    override fun read(json: JsonElement): T = create(textOf(json) ?: mismatch("a string"))
    override fun write(value: T) = JsonPrimitive(value.value)

    override fun check(value: T, faults: Faults) {
        if (value.value !in known) faults.add("one of ${known.joinToString()}")
    }

    /** The same type, but requests can contain any text. */
    fun open(): Type<T> = object : Type<T> by this {
        override fun check(value: T, faults: Faults) = Unit
        override fun sizeOf(value: T): Int = Scalars.string.sizeOf(value.value)
    }
}

/** A field of a struct or a message. */
internal class Field(
    val name: String,
    type: Type<*>,
    val isOptional: Boolean = false,
    private val isNullable: Boolean = false,
    val isSensitive: Boolean = false,
    val isExtra: Boolean = false,
    val isFile: Boolean = false,
) {
    @Suppress("UNCHECKED_CAST")
    private val type = type as Type<Any>
    private val isPresent = isOptional && isNullable

    /** Reads the member of an object, or what collects those that no field declares. */
    fun read(member: JsonElement?): Any? = when {
        member == null -> if (isOptional) null else mismatch("a value")
        member is JsonNull && isPresent -> Present(null)
        member is JsonNull && (isOptional || isNullable) -> null
        isPresent -> Present(type.read(member))
        else -> type.read(member)
    }

    fun write(part: Any?): JsonElement? {
        val value = contentOf(part)
        return if (value != null) type.write(value) else JsonNull.takeUnless { isOptional && part == null }
    }

    fun check(part: Any?, faults: Faults) {
        contentOf(part)?.let { type.check(it, faults) }
    }

    private fun contentOf(part: Any?): Any? = if (part is Present<*>) part.value else part
}

/** What was read for each field. */
internal class Values(private val values: List<Any?>) {
    @Suppress("UNCHECKED_CAST")
    operator fun <T> get(index: Int): T = values[index] as T
}

/** The type of objects with fields. */
internal abstract class StructType<T : Any>(private val name: String) : Type<T> {
    abstract val fields: List<Field>

    abstract fun create(values: Values): T

    /** Returns the value of each field. */
    abstract fun split(value: T): Array<Any?>

    private val names by lazy { fields.filterNot { it.isExtra }.mapTo(mutableSetOf()) { it.name } }

    override fun read(json: JsonElement): T {
        val members = json as? JsonObject ?: mismatch("an object")
        return create(Values(fields.map { readWithin(it.name) { it.read(if (it.isExtra) extraOf(it, members) else members[it.name]) } }))
    }

    private fun extraOf(field: Field, members: JsonObject): JsonObject? {
        val extra = members.filterKeys { it !in names }
        return JsonObject(extra).takeUnless { extra.isEmpty() && field.isOptional }
    }

    override fun write(value: T): JsonObject {
        val members = LinkedHashMap<String, JsonElement>()
        for ((field, part) in fields.zip(split(value))) {
            if (field.isFile) continue
            val member = field.write(part) ?: continue
            if (field.isExtra) members += member.jsonObject else members[field.name] = member
        }
        return JsonObject(members)
    }

    override fun check(value: T, faults: Faults) {
        for ((field, part) in fields.zip(split(value))) {
            faults.within(field.name, field.isSensitive) {
                field.check(part, faults)
                val keys = (part as? Map<*, *>)?.keys.takeIf { field.isExtra }.orEmpty()
                for (key in keys) if (key.toString() in names) faults.add("no key that is the name of a field")
            }
        }
    }

    /** Returns the files of a request by the names of their fields. */
    fun filesOf(value: T): Map<String, List<Upload>> = fields.zip(split(value)).filter { it.first.isFile }.associate { (field, part) ->
        field.name to (part as? List<*> ?: listOfNotNull(part)).map { it as Upload }
    }

    /** Returns a text for people, without what is sensitive. */
    fun print(value: T): String {
        val shown = fields.zip(split(value)).filterNot { (field) -> field.isSensitive }
        return shown.joinToString(", ", "$name(", ")") { (field, part) -> "${field.name}=$part" }
    }
}

/** Returns the type of the arguments of a method. */
internal fun arguments(vararg fields: Field): StructType<Array<Any?>> = object : StructType<Array<Any?>>("arguments") {
    override val fields = fields.asList()

    override fun create(values: Values): Array<Any?> = throw UnsupportedOperationException()
    override fun split(value: Array<Any?>): Array<Any?> = value
}

/** The type of values of one of several types. */
internal abstract class UnionType<T : Any>(
    private val tag: String? = null,
    private val choice: Set<String> = emptySet(),
    /** Creates a value of a variant that is not known, or null if there are none. */
    private val wrapUnknown: ((JsonObject) -> T)? = null,
) : Type<T> {
    /** A variant, and what tells its values from those of the others. */
    internal inner class Variant<S>(
        private val type: Type<S>,
        /** The keys of the values of the tag. */
        val tags: Set<Any> = emptySet(),
        /** Without a tag, the kinds of its values in JSON, and the members that show that an object is of it. */
        val kinds: Set<String> = emptySet(),
        val marks: Set<String> = emptySet(),
        val nullableMarks: Set<String> = emptySet(),
        private val wrap: (S) -> T,
        private val unwrap: (T) -> S,
    ) {
        fun read(json: JsonElement): T = wrap(type.read(json))
        fun write(value: T): JsonElement = type.write(unwrap(value))
        fun check(value: T, faults: Faults) = type.check(unwrap(value), faults)
    }

    abstract val variants: List<Variant<*>>

    /** Returns the position of the variant of a value, or -1 if it is unknown. */
    abstract fun indexOf(value: T): Int

    /** Returns the JSON of a value whose variant is unknown. */
    open fun unwrapUnknown(value: T): JsonObject = throw UnsupportedOperationException()

    override fun read(json: JsonElement): T {
        find(json)?.let { return it.read(json) }
        if (wrapUnknown == null || json !is JsonObject || !isTag(json[tag])) mismatch("one of the variants")
        return wrapUnknown(json)
    }

    /** Whether a value has the type of a tag, so that it can be one of a newer server. */
    private fun isTag(json: JsonElement?): Boolean {
        val key = keyOf(json) ?: return false
        return variants.any { variant -> variant.tags.any { it.javaClass == key.javaClass } }
    }

    private fun find(json: JsonElement): Variant<*>? {
        val members = json as? JsonObject ?: emptyMap()
        if (tag != null) {
            val key = keyOf(members[tag])
            return variants.find { key in it.tags }
        }
        val present = members.filterValues { it !is JsonNull }.keys
        if (choice.isNotEmpty() && present.count { it in choice } != 1) return null
        val kind = kindOf(json)
        val found = variants.find { variant ->
            val hasMarks = variant.marks.all { it in present || it in variant.nullableMarks && it in members }
            kind in variant.kinds && (kind != "object" || hasMarks)
        }
        // A server can send a bigint as a number.
        return found ?: variants.find { kind == "number" && "string" in it.kinds }
    }

    override fun write(value: T): JsonElement = variants.getOrNull(indexOf(value))?.write(value) ?: unwrapUnknown(value)

    override fun check(value: T, faults: Faults) =
        variants.getOrNull(indexOf(value))?.check(value, faults) ?: Scalars.any.check(unwrapUnknown(value), faults)
}

private fun kindOf(json: JsonElement): String = when (json) {
    is JsonObject -> "object"
    is JsonArray -> "array"
    is JsonNull -> "null"
    is JsonPrimitive -> if (json.isString) "string" else if (isNumber(json.content)) "number" else "boolean"
}
