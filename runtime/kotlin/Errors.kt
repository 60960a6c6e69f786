// Errors that services return, and that clients create themselves.
package ridl

import kotlinx.serialization.json.*

/**
 * What is known about a call that failed.
 *
 * @property name The name of the error in the contract, such as `BookNotFound`.
 * @property status The HTTP status, or 0 if there was no response.
 * @property detail What the server adds to the message, or the beginning of a response that could not be read.
 * @property data What the contract declares as the data of the error, or null.
 */
class Failure @JvmOverloads constructor(
    val name: String,
    val code: Int,
    val status: Int,
    val message: String,
    val detail: String? = null,
    val data: Any? = null,
) {
    /** What the response contained, or null. It can be sensitive, so no text contains it. */
    var body: String? = null
        internal set

    /** How long the server asks clients to wait, or null. */
    var retryAfterMillis: Long? = null
        internal set

    override fun toString(): String = "$name ($status)"
}

/** An error that a service returned, or that is the reason why there is no response. */
open class RpcException(
    val failure: Failure,
    cause: Throwable? = null,
) : RuntimeException(listOfNotNull(failure.message, failure.detail).joinToString(": "), cause) {
    val name: String get() = failure.name
    val code: Int get() = failure.code
    val status: Int get() = failure.status

    /** Whether a stream broke off. A server that has to end it sends the same error. */
    internal val isStreamLost: Boolean get() = name == TransportReason.STREAM_LOST.error

    /** Returns the body of an error response. */
    fun envelope(): String {
        val members = mapOf(
            "error" to JsonPrimitive(name),
            "code" to JsonPrimitive(code),
            "msg" to JsonPrimitive(failure.message),
            "cause" to JsonPrimitive(failure.detail),
            "status" to JsonPrimitive(status),
        )
        return printJson(JsonObject(members.filterValues { it !is JsonNull }))
    }
}

/** Why there is no valid response. */
enum class TransportReason(internal val text: String, internal val error: String, internal val status: Int? = null) {
    /** The connection failed. */
    NETWORK("network", "WebrpcRequestFailed"),

    /** Time ran out. */
    TIMEOUT("timeout", "WebrpcRequestFailed"),

    /** The response violates the protocol or the contract. */
    BAD_RESPONSE("bad-response", "WebrpcBadResponse"),

    /** A stream or a download broke off. */
    STREAM_LOST("stream-lost", "WebrpcStreamLost", 400),
}

/** There is no valid response. */
class TransportException internal constructor(val reason: TransportReason, failure: Failure, cause: Throwable?) :
    RpcException(failure, cause)

internal fun transportError(reason: TransportReason, detail: String? = null, status: Int = 0, cause: Throwable? = null) =
    TransportException(reason, builtInFailure(reason.error, reason.text, detail, reason.status ?: status), cause)

/** A kind of error that a service can return. */
internal class ErrorKind(
    val name: String,
    val code: Int,
    val status: Int,
    val create: (Failure) -> RpcException,
    val data: StructType<*>? = null,
    val hasAnyStatus: Boolean = false,
    val headers: List<ResponseHeader> = emptyList(),
    val parts: List<ErrorPart> = emptyList(),
) {
    /** Returns null if the contract declares no data, or if the data violates it. */
    fun readData(json: JsonElement?, headers: (String) -> String?): Any? = readData(data, json, headers, this.headers)
}

private fun readData(type: StructType<*>?, json: JsonElement?, headers: (String) -> String?, given: List<ResponseHeader>): Any? =
    readOrNull { (if (json is JsonObject) JsonObject(json + fieldsIn(headers, given)) else json)?.let { type?.read(it) } }

/** The errors that every service can return. */
private val builtInErrors: Map<String, ErrorKind> = listOf(
    Triple("WebrpcEndpoint", 0, 400),
    Triple("WebrpcRequestFailed", -1, 400),
    Triple("WebrpcBadRoute", -2, 404),
    Triple("WebrpcBadMethod", -3, 405),
    Triple("WebrpcBadRequest", -4, 400),
    Triple("WebrpcBadResponse", -5, 500),
    Triple("WebrpcServerPanic", -6, 500),
    Triple("WebrpcInternalError", -7, 500),
    Triple("WebrpcClientDisconnected", -8, 400),
    Triple("WebrpcStreamLost", -9, 400),
).associate { (name, code, status) -> name to ErrorKind(name, code, status, ::RpcException) }

/** Returns what is known about a built-in error that the client creates. */
internal fun builtInFailure(name: String, message: String, detail: String?, status: Int? = null): Failure {
    val kind = builtInErrors.getValue(name)
    return Failure(name, kind.code, status ?: kind.status, message, detail)
}

/** The errors that the methods of a host can return, and how they are written. */
internal class Errors(kinds: List<ErrorKind>, private val body: ErrorBody? = null) {
    private val own = kinds.associateBy { it.name }
    private val all = builtInErrors + own

    /** Reads the error in a response, or returns null if it is none. [text] is its body. */
    fun read(method: Method<*, *>, text: String, status: Int, headers: (String) -> String?): RpcException? {
        val json = readOrNull { parseJson(text) }
        if (body == null) return readEnvelope(json, status, headers)
        val listed = method.errors?.mapNotNull { name -> own[name]?.let { name to it } }?.toMap() ?: (own - builtInErrors.keys)
        return body.read(json ?: JsonPrimitive(text), status, listed, headers, method.isSensitive)
    }

    /** Reads webrpc's envelope, which any server may have sent. */
    fun readEnvelope(json: JsonElement?, status: Int, headers: (String) -> String? = { null }): RpcException? {
        val members = (json as? JsonObject)?.filterValues { it !is JsonNull } ?: return null
        val name = textOf(members["error"] ?: members["name"]) ?: return null
        val kind = all[name]
        val message = textOf(members["msg"] ?: members["message"]) ?: name
        val number = intOf(members["code"])
        val data = kind?.readData(members["data"], headers)
        val failure = Failure(name, number ?: 0, status, message, textOf(members["cause"]), data)
        return kind?.create?.invoke(failure) ?: RpcException(failure)
    }
}

/** Returns the HTTP status that an error in a stream names, or the default if it is not a number of an error. */
internal fun statusIn(json: JsonElement?, least: Int, otherwise: Int): Int {
    val number = intOf((json as? JsonObject)?.get("status"))
    return number?.takeIf { it in least..599 } ?: otherwise
}

private val codeText = Regex("0|-?[1-9][0-9]*")

/** Reads a code, which can be text. */
private fun codeOf(json: JsonElement?): Int? = textOf(json)?.takeIf(codeText::matches)?.toIntOrNull() ?: intOf(json)

private fun intOf(json: JsonElement?): Int? = readOrNull { json?.let(::wholeNumber) }?.takeIf { it.bitLength() < 32 }?.toInt()

/** A part of an error in a body that is not webrpc's envelope. */
internal class ErrorPart(
    val role: String,
    /** The names from the body to the part. 0 is the first item of a list. */
    private val path: List<Any>,
    /** Values by the names of errors. Without any, the value is the part itself. */
    private val names: Map<String, String> = emptyMap(),
    /** Whether errors that are not in `names` are written with their own names. */
    private val isOpen: Boolean = false,
) {
    fun find(body: JsonElement): JsonElement? = path.fold<Any, JsonElement?>(body) { json, key ->
        (json as? JsonObject)?.get(key.toString()) ?: (json as? JsonArray)?.firstOrNull().takeIf { key == 0 }
    }

    /** Whether this part of a body is that of an error. */
    fun isOf(kind: ErrorKind, body: JsonElement): Boolean {
        val value = find(body)
        val wanted = names[kind.name] ?: kind.name.takeIf { names.isEmpty() || isOpen }
        val isName = role == "name" && wanted != null && value is JsonPrimitive && value !is JsonNull && value.content == wanted
        return isName || role == "code" && codeOf(value) == kind.code
    }
}

/** The body of the errors of a server, in place of webrpc's envelope. */
internal class ErrorBody(
    private val type: StructType<*>,
    private val parts: List<ErrorPart>,
    private val headers: List<ResponseHeader>,
) {
    /**
     * Reads an error of a method, which can be one of its own.
     *
     * Returns null if the body is no object and the status does not tell the error. If messages of the method have no
     * secrets, the text in the body is the message of an error that has none.
     */
    fun read(
        body: JsonElement,
        status: Int,
        own: Map<String, ErrorKind>,
        headers: (String) -> String?,
        isSensitive: Boolean,
    ): RpcException? {
        val found = find(body, status, own, headers)
        if (found == null && body !is JsonObject) return null
        val kind = found ?: builtInErrors.getValue("WebrpcEndpoint")
        val isUsual = kind.data == null || kind.data === type
        val values = (if (isUsual) parts else kind.parts).associate { it.role to it.find(body) }
        val text = if (isSensitive) "" else textFor(body)
        val message = textOf(values["message"]) ?: text.ifEmpty { found?.name ?: status.toString() }
        val code = if (found == null) codeOf(values["code"]) ?: 0 else kind.code
        val data = if (kind.data == null) readData(type, body, headers, this.headers) else kind.readData(body, headers)
        return kind.create(Failure(kind.name, code, status, message, textOf(values["cause"]), data))
    }

    private fun find(body: JsonElement, status: Int, own: Map<String, ErrorKind>, headers: (String) -> String?): ErrorKind? {
        val named = parts.firstNotNullOfOrNull { part -> (builtInErrors + own).values.find { part.isOf(it, body) } }
            ?: own.values.find { kind -> kind.parts.any { it.isOf(kind, body) } }
        if (named != null) return named
        val byStatus = own.values.filter { it.status == status && !it.hasAnyStatus }
        if (byStatus.isNotEmpty()) return byStatus.singleOrNull()
        // The usual body fits every error.
        return own.values.singleOrNull { it.hasAnyStatus && it.data !== type && it.readData(body, headers) != null }
    }
}

/** Members of a body that usually contain a text for people, best first. */
private val usualTexts = listOf("message", "detail", "msg", "error", "errors", "title")

/** Returns the text for people in the body of an error, or an empty text. */
private fun textFor(json: JsonElement?, depth: Int = 3): String = when {
    // A page is not a message.
    json is JsonPrimitive -> textOf(json)?.trim()?.takeUnless { it.startsWith("<") }.orEmpty()
    depth == 0 -> ""
    json is JsonObject -> usualTexts.firstNotNullOfOrNull { textFor(json[it], depth - 1).ifEmpty { null } }.orEmpty()
    json is JsonArray -> json.take(9).map { textFor(it, depth - 1) }.filter { it != "" }.joinToString("; ")
    else -> ""
}.take(500)
