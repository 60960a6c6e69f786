// Streams of lines and of server-sent events.
package ridl

import java.io.Closeable
import kotlin.math.max
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull
import kotlinx.serialization.json.*
import okio.Buffer
import okio.ByteString.Companion.encodeUtf8

internal const val EVENT_STREAM = "text/event-stream"

/**
 * Asks for the end of a stream in Accept, and announces it in Content-Type. A stream whose end was announced is complete
 * only if it has arrived.
 */
internal const val END = ";end=1"

private val announced = Regex(";\\s*end=1\\b", RegexOption.IGNORE_CASE)
private const val MAX_ITEM_BYTES = 32L shl 20
private const val CHUNK = 65_536L
private const val RETURN = '\r'.code.toByte()
private const val LINE_FEED = '\n'.code.toByte()
private const val COLON = ':'.code.toByte()

/** The items of one connection. */
internal class Items<A : Any>(
    private val method: Method<*, A>,
    private val answer: Answer,
    private val errors: Errors,
    private val isChecked: Boolean,
) : Closeable {
    private val status = answer.response.code
    private val isAnnounced = announced.containsMatchIn(answer.response.header("Content-Type").orEmpty())
    private val source = checkNotNull(answer.response.body).source()
    private val lines = Lines(hasEvents = method.rest != null, ::tooLong)
    private var event = Event()
    private var hasBodyEnded = false
    private var isOver = status == 204

    /** The JSON of the last item. */
    var last: JsonElement? = null
        private set

    /** Returns the next item, or null at the end of the stream. Throws [RpcException]. */
    suspend fun next(): A? {
        while (!isOver) {
            val line = lines.next()
            when {
                line != null -> (if (method.rest == null) readLine(line) else readEvent(line))?.let { return it }
                hasBodyEnded -> return end()
                else -> receive()
            }
        }
        return null
    }

    private fun finish(): A? = null.also { isOver = true }

    private fun read(json: JsonElement, text: String): A {
        last = json
        return method.read(json, text, status, isChecked)
    }

    /** Receives bytes. */
    private suspend fun receive() {
        val count = withContext(blocking) {
            withTimeoutOrNull(SILENCE) { answer.call.io(TransportReason.STREAM_LOST) { source.read(lines.bytes, CHUNK) } }
        }
        hasBodyEnded = (count ?: throw transportError(TransportReason.STREAM_LOST, "the server sent nothing")) < 0
    }

    /** Returns the item in a line, or null if there is none. */
    private fun readLine(line: String): A? {
        val text = line.trim { it in SPACE }
        return when {
            text == "" -> null
            text == "[]" -> finish()
            else -> read(itemIn(text), text)
        }
    }

    private fun itemIn(text: String): JsonElement {
        val json = method.readJson(text, status)
        val envelope = when {
            json is JsonArray -> json.singleOrNull()
            !isAnnounced && json is JsonObject && "webrpcError" in json -> json["webrpcError"]
            else -> return json
        }
        throw errors.readEnvelope(envelope, statusIn(envelope, 400, 400)) ?: badItem(text)
    }

    /** Returns the item in an event that ends with a line, or null if there is none. */
    private fun readEvent(line: String): A? {
        if (line != "") {
            if ((event.data?.length ?: 0) + line.length > MAX_ITEM_BYTES) tooLong()
            event.add(line)
            return null
        }
        val found = event
        event = Event()
        val text = found.text
        return when {
            isAnnounced && found.data == null && found.name == "end" || text == "[DONE]" -> finish()
            found.data != null && found.name == "error" -> throw eventError(found)
            text.isNullOrEmpty() -> null
            else -> read(method.readJson(text, status), text)
        }
    }

    private fun eventError(event: Event): RpcException {
        val text = event.data?.toString().orEmpty()
        val named = event.status.takeIf { it.matches(Regex("[0-9]{3}")) }
        val told = if (named == null) readOrNull { parseJson(text) } else JsonObject(mapOf("status" to JsonPrimitive(named.toInt())))
        return errors.read(method, text, statusIn(told, 300, 500)) { null } ?: badItem(text)
    }

    /** The body has ended. */
    private fun end(): A? {
        val rest = lines.rest()
        if (method.rest != null) {
            val isWithin = event.data != null || rest != "" && !rest.startsWith(":")
            event.add(rest)
            return if ((isWithin || isAnnounced) && event.text != "[DONE]") throw endless() else null
        }
        val item = try {
            readLine(rest)
        } catch (error: TransportException) {
            throw transportError(TransportReason.STREAM_LOST, "the last line is incomplete", cause = error)
        }
        return if (item == null && isAnnounced && !isOver) throw endless() else item
    }

    private fun endless() = transportError(TransportReason.STREAM_LOST, "it has no end")
    private fun badItem(text: String) = transportError(TransportReason.BAD_RESPONSE, method.beginning(text), status)
    private fun tooLong(): Nothing = throw transportError(TransportReason.BAD_RESPONSE, "the item is too long", status)

    override fun close() = answer.drop()
}

/** The white space of JSON. */
private const val SPACE = " \t\r\n"

/** Splits bytes into lines, wherever they are split. */
private class Lines(private val hasEvents: Boolean, private val onTooLong: () -> Nothing) {
    /** What was received. */
    val bytes = Buffer()
    private val ends = (if (hasEvents) "\r\n" else "\n").encodeUtf8()
    private var searched = 0L
    private var isAfterReturn = false
    private var isFirst = true

    /** Returns the next line, or null if its end is missing. */
    fun next(): String? {
        if (isAfterReturn && !bytes.exhausted()) {
            if (bytes[0] == LINE_FEED) bytes.skip(1)
            isAfterReturn = false
        }
        val end = bytes.indexOfElement(ends, searched)
        if (end < 0 && hasEvents && !bytes.exhausted() && bytes[0] == COLON) {
            // A comment has no length that matters.
            bytes.clear()
            bytes.writeByte(COLON.toInt())
        }
        searched = if (end < 0) bytes.size else 0
        if (max(end, searched) > MAX_ITEM_BYTES) onTooLong()
        return if (end < 0) null else read(end).also { isAfterReturn = bytes.readByte() == RETURN }
    }

    /** Returns what follows the last line. */
    fun rest(): String = read(bytes.size)

    private fun read(count: Long): String {
        val line = bytes.readUtf8(count)
        return if (isFirst) line.removePrefix(BYTE_ORDER_MARK).also { isFirst = false } else line
    }
}

/** An event: an item, an error, or the end, as the HTML standard parses it. */
private class Event {
    var name = ""

    /** The HTTP status of an error. */
    var status = ""
    var data: StringBuilder? = null
    val text: String? get() = data?.trim { it in SPACE }?.toString()

    fun add(line: String) {
        val value = line.substringAfter(':', "").removePrefix(" ")
        when (line.substringBefore(':')) {
            "data" -> data = data?.append('\n')?.append(value) ?: StringBuilder(value)
            "event" -> name = value
            "status" -> status = value
        }
    }
}
