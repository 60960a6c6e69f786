// Files in requests and responses.
package ridl

import java.io.Closeable
import java.io.EOFException
import java.io.File
import java.io.IOException
import java.io.InputStream
import kotlin.math.min
import okhttp3.MediaType
import okhttp3.MediaType.Companion.toMediaTypeOrNull
import okhttp3.RequestBody
import okio.BufferedSink
import okio.BufferedSource
import okio.buffer
import okio.source

/**
 * A file in a request.
 *
 * @property length The number of bytes that [open] gives, or -1 if it is unknown. If the file has another length, the call fails.
 * @property open Opens the content. Each attempt of a call opens it again.
 */
class Upload(val name: String, val type: String, val length: Long, val open: () -> InputStream) {
    @JvmOverloads
    constructor(content: ByteArray, name: String = "", type: String = OCTETS) :
        this(name, type, content.size.toLong(), { content.inputStream() })

    @JvmOverloads
    constructor(file: File, name: String = file.name, type: String = OCTETS) :
        this(name, type, file.length(), { file.inputStream() })

    private val mediaType: MediaType = requireNotNull(type.ifEmpty { OCTETS }.toMediaTypeOrNull()) { "type: expected a media type" }

    internal fun toRequestBody(): RequestBody = object : RequestBody() {
        override fun contentType(): MediaType = mediaType
        override fun contentLength(): Long = length

        override fun writeTo(sink: BufferedSink) {
            open().source().buffer().use { content ->
                if (length < 0) sink.writeAll(content) else content.writeTo(sink, length)
            }
        }
    }

    override fun toString(): String = "Upload($name, $length bytes)"
}

/** Writes content of a known length. The last byte completes a request, so it is only sent if nothing follows it. */
private fun BufferedSource.writeTo(sink: BufferedSink, length: Long) {
    try {
        if (length > 0) sink.write(this, length - 1)
        val last = readByteArray(min(length, 1))
        if (!exhausted()) throw EOFException()
        sink.write(last)
    } catch (cause: EOFException) {
        throw IOException("the file does not have $length bytes", cause)
    }
}

private const val OCTETS = "application/octet-stream"

/**
 * A file in a response, which is received while it is read. It can be read once. Close it if you do not read all of it.
 *
 * @property name The name that the server gave, or an empty text. Do not use it as a path without checking it.
 * @property size The number of bytes, if it is known.
 */
class Download internal constructor(private val answer: Answer) : Closeable {
    private val response = answer.response
    val name: String
    val type: String = response.header("Content-Type") ?: OCTETS
    val size: Long? = checkNotNull(response.body).contentLength().takeIf { it >= 0 }

    init {
        val disposition = response.header("Content-Disposition").orEmpty()
        val encoded = extended.find(disposition)?.groupValues?.get(1)?.replace("+", "%2B")?.let(::decoded)
        val quoted = plain.find(disposition)?.groupValues
        name = encoded ?: quoted?.let { (_, text, word) -> text.replace(escaped, "$1") + word }.orEmpty()
    }

    /** The content, for code that blocks. Reading it throws an [IOException] if the connection breaks. */
    fun stream(): InputStream = checkNotNull(response.body).byteStream()

    /** Returns the whole content. Throws [TransportException]. */
    suspend fun bytes(): ByteArray = answer.call.io(TransportReason.STREAM_LOST) { use { stream().readBytes() } }

    override fun close() = answer.drop()
}

private val extended = Regex(";\\s*filename\\*=utf-8'[^']*'([^\\s;]+)", RegexOption.IGNORE_CASE)
private val plain = Regex(";\\s*filename=(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|([^\\s;]+))", RegexOption.IGNORE_CASE)
private val escaped = Regex("\\\\(.)")
