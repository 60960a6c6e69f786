// Values that JSON represents in another way.
package ridl

import java.math.BigInteger
import java.time.Instant
import java.util.Base64
import kotlinx.serialization.KSerializer
import kotlinx.serialization.Serializable
import kotlinx.serialization.SerializationException
import kotlinx.serialization.builtins.nullable
import kotlinx.serialization.descriptors.PrimitiveKind
import kotlinx.serialization.descriptors.PrimitiveSerialDescriptor
import kotlinx.serialization.encoding.Decoder
import kotlinx.serialization.encoding.Encoder

/** A moment, which is text as in RFC 3339. */
typealias Timestamp = @Serializable(TimestampSerializer::class) Instant

/** An integer of any size, which is text in decimal notation. */
typealias BigInt = @Serializable(BigIntSerializer::class) BigInteger

/** Bytes, which are text in base64. Unlike arrays, they are equal if their content is. */
@Serializable(BytesSerializer::class)
class Bytes(private val content: ByteArray) {
    fun toByteArray(): ByteArray = content.copyOf()

    override fun equals(other: Any?): Boolean = other is Bytes && content.contentEquals(other.content)

    override fun hashCode(): Int = content.contentHashCode()

    override fun toString(): String = "Bytes(${content.size})"
}

/** The value of a property that can be absent, which is `null`, or contain null, which is `Present(null)`. */
@Serializable(PresentSerializer::class)
data class Present<out T : Any>(val value: T?)

internal object TimestampSerializer : TextSerializer<Instant>("Timestamp", Instant::toString, Instant::parse)

internal object BigIntSerializer : TextSerializer<BigInteger>("BigInt", BigInteger::toString, ::BigInteger)

internal object BytesSerializer : TextSerializer<Bytes>(
    BYTES,
    { Base64.getEncoder().encodeToString(it.toByteArray()) },
    { Bytes(Base64.getDecoder().decode(it)) },
)

internal const val BYTES = "ridl.Bytes"

/** Represents values as text. */
internal open class TextSerializer<T>(
    name: String,
    private val print: (T) -> String,
    private val parse: (String) -> T,
) : KSerializer<T> {
    override val descriptor = PrimitiveSerialDescriptor(name, PrimitiveKind.STRING)

    override fun serialize(encoder: Encoder, value: T) = encoder.encodeString(print(value))

    override fun deserialize(decoder: Decoder): T {
        val text = decoder.decodeString()
        return try {
            parse(text)
        } catch (cause: RuntimeException) {
            throw SerializationException("this is no ${descriptor.serialName}", cause)
        }
    }
}

internal class PresentSerializer<T : Any>(content: KSerializer<T>) : KSerializer<Present<T>> {
    private val content = content.nullable

    // Because it accepts null, null in JSON is not an absent property.
    override val descriptor = this.content.descriptor

    override fun serialize(encoder: Encoder, value: Present<T>) = content.serialize(encoder, value.value)

    override fun deserialize(decoder: Decoder): Present<T> = Present(content.deserialize(decoder))
}
